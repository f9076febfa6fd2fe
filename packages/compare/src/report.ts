/**
 * Writes a comparison: Markdown for a job summary or a comment, lines for a terminal or a log, JSON for programs. Names come from
 * queries and data, so Markdown is escaped here; the caller escapes for its log.
 */
import type { ComparedSeries, Comparison } from './comparison.ts'
import { drawSparkline } from './sparkline.ts'
import { describeChange, describeComparison, formatValue, howLikely, SIGNS, VERDICT_WORDS } from './words.ts'

/** Text from data is escaped. */
export function toMarkdown(comparison: Comparison): string {
  const { verdict, event, series, windows, notes } = comparison
  const cell = (text: string) => escapeMarkdown(text)
  const rows = series.map((one) => {
    const chart = drawSparkline(one.chart)
    const cells = [
      `${SIGNS[one.verdict]} ${VERDICT_WORDS[one.verdict]}`,
      cell(one.name),
      ...valuesOf(one).map(cell),
      chart === '' ? '' : `\`${chart}\``,
      cell(howLikely(one)),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const table = [
    '| verdict | what | before | after | change | before │ after | chance, or why not |',
    '|---|---|--:|--:|---|---|---|',
    ...rows,
  ]
  return [
    `### ${SIGNS[verdict]} ${capitalize(VERDICT_WORDS[verdict])}: ${escapeMarkdown(event)}`,
    escapeMarkdown(describeComparison(comparison)),
    ...(series.length === 0 ? [] : [table.join('\n')]),
    `Before: ${timesOf(windows.before)} · after: ${timesOf(windows.after)} · ${describeSeasons(comparison)}`,
    ...notes.map(escapeMarkdown),
    '',
  ].join('\n\n')
}

/**
 * @param clean makes text from data one harmless line
 * @returns lines with aligned columns
 */
export function toText(comparison: Comparison, clean: (text: string) => string): string[] {
  const rows = comparison.series.map((one) => [
    VERDICT_WORDS[one.verdict],
    clean(one.name),
    ...valuesOf(one),
    drawSparkline(one.chart),
    howLikely(one),
  ])
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  const pad = (text: string, width = 0) => text + ' '.repeat(width - [...text].length)
  return [
    ...rows.map((row) =>
      row
        .map((text, column) => pad(text, widths[column]))
        .join('  ')
        .trimEnd(),
    ),
    ...comparison.notes.map(clean),
  ]
}

/** @returns JSON; values without a number are null: a rate without a total, and an interval without an end */
export function toJson(comparison: Comparison): string {
  return JSON.stringify(comparison)
}

function valuesOf(series: ComparedSeries): string[] {
  return [formatValue(series.before, series), formatValue(series.after, series), describeChange(series)]
}

function timesOf({ startTime, endTime }: { startTime: string; endTime: string }): string {
  return `${startTime} to ${endTime}`
}

/** Names the other times that had data, so that readers know whether the time of day was considered. */
function describeSeasons({ series, windows: { seasons } }: Comparison): string {
  const most = Math.max(0, ...series.map((one) => one.seasons))
  const days = seasons.map(({ startTime }) => startTime.slice(0, 10)).join(', ')
  return most === 0
    ? 'not compared with other days'
    : `compared with the same time of ${most === 1 ? 'one other day' : `${most} other days`}${days === '' ? '' : ` (${days})`}`
}

const capitalize = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`

/** Makes one line that Markdown and HTML show as plain text. */
function escapeMarkdown(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/[\\`*_[\]<>|#&~!]/g, (character) => `&#${character.charCodeAt(0)};`)
}
