/**
 * A comparison as people read it: Markdown for a job summary or a comment, lines for a terminal or a log, JSON for programs.
 * Names come from queries and data: what Markdown would act on is escaped. What a log would act on is the caller's to know.
 */
import type { ComparedSeries, Comparison } from './comparison.ts'
import { drawSparkline } from './sparkline.ts'
import { describeChange, describeComparison, formatConfidence, formatValue, SIGNS } from './words.ts'

/** @param event what is compared around, as a title; escaped here */
export function toMarkdown(comparison: Comparison, event: string): string {
  const { verdict, series, windows, notes } = comparison
  const cell = (text: string) => escapeMarkdown(text)
  const rows = series.map((one) => {
    const chart = drawSparkline(one.chart)
    const cells = [
      `${SIGNS[one.verdict]} ${one.verdict}`,
      cell(one.name),
      ...valuesOf(one).map(cell),
      chart === '' ? '' : `\`${chart}\``,
      cell(howSure(one)),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const table = [
    '| verdict | what | before | after | change | before │ after | how sure |',
    '|---|---|--:|--:|---|---|---|',
    ...rows,
  ]
  return [
    `### ${SIGNS[verdict]} ${verdict[0]?.toUpperCase()}${verdict.slice(1)}: ${escapeMarkdown(event)}`,
    escapeMarkdown(describeComparison(comparison)),
    ...(series.length === 0 ? [] : [table.join('\n')]),
    `Before: ${timesOf(windows.before)} · after: ${timesOf(windows.after)}${windows.season ? ` · season: ${timesOf(windows.season)}` : ''}`,
    ...notes.map(escapeMarkdown),
    '',
  ].join('\n\n')
}

/** @returns lines with aligned columns */
export function toText(comparison: Comparison): string[] {
  const rows = comparison.series.map((one) => [one.verdict, one.name, ...valuesOf(one), drawSparkline(one.chart), howSure(one)])
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  const pad = (text: string, width = 0) => text + ' '.repeat(width - [...text].length)
  return [
    ...rows.map((row) =>
      row
        .map((text, column) => pad(text, widths[column]))
        .join('  ')
        .trimEnd(),
    ),
    ...comparison.notes,
  ]
}

/** @returns JSON; what has no number is null: a rate out of nothing, and an interval without an end */
export function toJson(comparison: Comparison): string {
  return JSON.stringify(comparison)
}

function valuesOf(series: ComparedSeries): string[] {
  return [formatValue(series.before, series), formatValue(series.after, series), describeChange(series)]
}

/** Of a change; of none there is nothing to be sure of. */
function howSure({ verdict, lack, confidence }: ComparedSeries): string {
  return lack ?? (verdict === 'same' ? '' : formatConfidence(confidence))
}

function timesOf(span: { startTime: string; endTime: string } | undefined): string {
  return span ? `${span.startTime} to ${span.endTime}` : ''
}

/** As one line in which Markdown and HTML see text only. */
function escapeMarkdown(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/[\\`*_[\]<>|#&~!]/g, (character) => `&#${character.charCodeAt(0)};`)
}
