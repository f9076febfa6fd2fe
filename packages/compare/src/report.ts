/**
 * A comparison as it is stored and shown: Markdown for a job summary or a comment, lines for a terminal or a log, JSON for programs, rows
 * for a page. Names come from queries and data, so Markdown is escaped here; the caller escapes for its log.
 */
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import { formatDuration } from '@deployment-annotations/contract/duration'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import type { ComparedSeries, Comparison } from './comparison.ts'
import { drawSparkline } from './sparkline.ts'
import {
  describeHeadline,
  describeInterval,
  describeText,
  formatValue,
  isChanged,
  isMinor,
  nameOf,
  type Told,
  VERDICT_WORDS,
} from './words.ts'

/** What the service stores, and every report shows. */
export interface Report extends VerdictDetails {
  verdict: Verdict
  /** The title of the event. */
  event: string
}

interface Judging extends Told {
  judgedMs: number
  isEarly?: boolean
}

/** Writes the sentences, from the numbers that are stored with them. */
export function toReport(comparison: Comparison, { judgedMs, isEarly = false, ...told }: Judging): Report {
  const { verdict, event, windows, neighbors, notes } = comparison
  const series = comparison.series.map(round)
  const headline = describeHeadline({ ...comparison, series }, told)
  return {
    verdict,
    event,
    judgedAt: formatMillis(judgedMs),
    isEarly,
    headline,
    text: describeText({ ...comparison, series }, headline, told),
    windows: { before: windows.before, after: windows.after },
    series: series.map(toStored),
    neighbors: neighbors.map(({ timeMs, ...one }) => ({ ...one, time: formatMillis(timeMs) })),
    notes,
  }
}

/** More digits than anybody reads make every list longer. */
const shorten = (value: number) => Number(value.toPrecision(4))

function round(one: ComparedSeries): ComparedSeries {
  const [before, after, expected] = [one.before, one.after, one.expected].map(shorten) as [number, number, number]
  const [change, low, high] = [one.change, one.low, one.high].map(shorten) as [number, number, number]
  return { ...one, before, after, expected, change, low, high }
}

function toStored({ name, verdict, kind, unit, chance, lack, carriers, chart, ...one }: ComparedSeries) {
  const amount = (value: number) => (Number.isFinite(value) ? value : null)
  const sparkline = drawSparkline(chart)
  return {
    name,
    verdict,
    kind,
    ...(unit !== undefined && { unit }),
    before: amount(one.before),
    after: amount(one.after),
    expected: amount(one.expected),
    seasons: one.seasons,
    change: amount(one.change),
    low: amount(one.low),
    high: amount(one.high),
    ...(one.ofTheRest && { ofTheRest: true }),
    ...(chance !== undefined && { chance: shorten(chance) }),
    ...(lack !== undefined && { lack }),
    ...(sparkline !== '' && { sparkline }),
    carriers: carriers.map((of) => ({ ...of, before: shorten(of.before), after: shorten(of.after), part: shorten(of.part) })),
  }
}

/** A series of the report in words and numbers. */
export interface ReportRow {
  name: string
  verdict: Verdict
  isChanged: boolean
  before: string
  after: string
  /** The interval of the change. */
  change: string
  sparkline: string
  /** Why the verdict is “cannot tell”, or ''. */
  lack: string
  carriers: VerdictDetails['series'][number]['carriers']
}

/** @returns the series, without other percentiles of which nothing is to be said */
export function rowsOf({ series }: Pick<VerdictDetails, 'series'>): ReportRow[] {
  return series
    .filter((one) => !isMinor(one, series))
    .map((one) => ({
      name: nameOf(one, series),
      verdict: one.verdict,
      isChanged: isChanged(one),
      before: formatValue(one.before, one),
      after: one.verdict === 'gone' ? 'nothing' : formatValue(one.after, one),
      change: one.verdict === 'gone' ? '' : describeInterval(one),
      sparkline: one.sparkline ?? '',
      lack: one.lack ?? '',
      carriers: one.carriers,
    }))
}

/** Signs that GitHub, GitLab and Gitea draw: red hurts, orange needs a look, white is no harm or unknown, green is better. */
const SIGNS: Readonly<Record<Verdict, string>> = {
  gone: '🔴',
  worse: '🔴',
  lower: '🟠',
  better: '🟢',
  higher: '⚪',
  inconclusive: '⚪',
  same: '⚪',
}

/** Text from data is escaped. Where nothing changed, it is one line, and the rest is folded. */
export function toMarkdown(report: Report): string {
  const { verdict, event, headline, notes, windows } = report
  const heading = `### ${SIGNS[verdict]} ${escapeMarkdown(`${event}: ${headline}`)}`
  const rows = rowsOf(report).map((one) => {
    const bold = (cell: string) => (one.isChanged && cell !== '' ? `**${escapeMarkdown(cell)}**` : escapeMarkdown(cell))
    const chart = one.sparkline === '' ? [] : [`\`${one.sparkline}\``]
    const cells = [
      bold(one.name),
      escapeMarkdown(one.before),
      bold(one.after),
      bold(one.change),
      [...chart, escapeMarkdown(one.lack)].join(' ').trimEnd(),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const table = rows.length === 0 ? [] : [['| | before | after | change | |', '|:--|--:|--:|--:|:--|', ...rows].join('\n')]
  const times = `${escapeMarkdown(restOf(report))} ${describeTimes(windows)}`.trim()
  const how = [...describeHow(report), ...notes].map(escapeMarkdown)
  const fold = (parts: readonly string[]) =>
    ['<details><summary>How this was judged</summary>', ...parts.filter((part) => part !== ''), '</details>', ''].join('\n\n')
  return isChanged(report)
    ? [heading, times, ...table, fold([how.join(' ')])].join('\n\n')
    : [heading, fold([...table, times, how.join(' ')])].join('\n\n')
}

/**
 * @param clean makes text from data one harmless line
 * @returns the sentence, then lines with aligned columns
 */
export function toText(report: Report, clean: (text: string) => string): string[] {
  const { event, headline, notes } = report
  const rows = rowsOf(report).map((one) => [
    VERDICT_WORDS[one.verdict],
    clean(one.name),
    one.before,
    one.after,
    one.change,
    one.sparkline,
    clean(one.lack),
  ])
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  const pad = (cell: string, width = 0) => cell + ' '.repeat(width - [...cell].length)
  const lines = rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column]))
      .join('  ')
      .trimEnd(),
  )
  return [
    clean(`${event}: ${headline}`),
    ...lines,
    ...[restOf(report), ...notes].filter((line) => line !== '').map((line) => clean(line)),
  ]
}

/** @returns the text after its first sentence */
export function restOf({ headline, text }: Pick<VerdictDetails, 'headline' | 'text'>): string {
  return text.startsWith(headline) ? text.slice(headline.length).replace(/^\.? ?/, '') : text
}

/** @returns JSON; values without a number are null: a rate without a total, and an interval without an end */
export function toJson(report: Report): string {
  return JSON.stringify(report)
}

/** @returns `10 min after 16:51 UTC, against 1 h before.` */
export function describeTimes({ before, after }: VerdictDetails['windows']): string {
  const length = ({ startTime, endTime }: typeof before) => formatDuration(Date.parse(endTime) - Date.parse(startTime))
  return `${length(after)} after ${after.startTime.slice(11, 16)} UTC, against ${length(before)} before.`
}

/** How sure each change is, and which other days were considered. */
function describeHow({ series }: Report): string[] {
  const sure = series.flatMap((one) =>
    isChanged(one) && one.chance !== undefined ? [`${nameOf(one, series)} ${formatChance(one.chance)}`] : [],
  )
  const days = Math.max(0, ...series.map(({ seasons = 0 }) => seasons))
  return [
    ...(sure.length > 0 ? [`By chance alone: ${sure.join(', ')}.`] : []),
    `Looked at: ${series.map((one) => nameOf(one, series)).join(', ') || 'nothing'}.`,
    days === 0
      ? 'Not compared with other days.'
      : `Compared with the same time of ${days === 1 ? 'another day' : `${days} other days`}.`,
  ]
}

/** @returns `1 in 2,300`: how often nothing but chance would do it */
function formatChance(chance: number): string {
  return chance < 1 / 10_000 ? 'less than 1 in 10,000' : `1 in ${Number((1 / chance).toPrecision(2)).toLocaleString('en')}`
}

/** Makes one line that Markdown and HTML show as plain text. */
function escapeMarkdown(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/[\\`*_[\]<>|#&~!]/g, (character) => `&#${character.charCodeAt(0)};`)
}
