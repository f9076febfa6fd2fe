/**
 * A stored comparison as it is shown: Markdown for a job summary or a comment, lines for a terminal or a log, JSON for programs, rows
 * for a page. Names come from queries and data, so Markdown is escaped here; the caller escapes for its log.
 */

import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import { formatDuration } from '@deployment-annotations/contract/duration'
import { formatParameters } from '@deployment-annotations/contract/page-address'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { describeInterval, formatValue, isChanged, isMinor, nameOf } from './words.ts'

/** What the service stores, and every report shows. */
export interface Report extends VerdictDetails {
  verdict: Verdict
  /** The title of the event. */
  event: string
  /** The address of the page that shows the event on its charts, if it is known. */
  page?: string | undefined
}

/**
 * A series of the report in words and numbers: `change` is the interval, whose numbers `interval` has, and `lack` says why the verdict is
 * “cannot tell”, or ''.
 */
export type ReportRow = ReturnType<typeof rowsOf>[number]

/** @returns the series, without other percentiles of which nothing is to be said; or these alone */
export function rowsOf({ series }: Pick<VerdictDetails, 'series'>, isOfMinor = false) {
  return series
    .filter((one) => isMinor(one, series) === isOfMinor)
    .map((one) => ({
      name: nameOf(one, series),
      verdict: one.verdict,
      isChanged: isChanged(one),
      before: formatValue(one.before, one),
      after: one.verdict === 'gone' ? 'nothing' : formatValue(one.after, one),
      change: one.verdict === 'gone' ? '' : describeInterval(one),
      interval: { low: one.low, change: one.change, high: one.high },
      sparkline: one.sparkline ?? '',
      lack: one.lack ?? '',
      carriers: one.carriers,
    }))
}

/**
 * Each verdict as a sign that GitHub, GitLab and Gitea draw, and in words for tables of texts: red hurts, orange needs a look, white is no
 * harm or unknown, green is better.
 */
const SHOWN: Readonly<Record<Verdict, readonly [sign: string, words: string]>> = {
  gone: ['🔴', 'gone'],
  worse: ['🔴', 'worse'],
  lower: ['🟠', 'lower'],
  better: ['🟢', 'better'],
  higher: ['⚪', 'higher'],
  inconclusive: ['⚪', 'cannot tell'],
  same: ['⚪', 'no change'],
}

/** Text from data is escaped. Where nothing changed, it is one line, and the rest is folded. */
export function toMarkdown(report: Report): string {
  const { verdict, event, headline, notes, windows } = report
  const heading = `### ${SHOWN[verdict][0]} ${escapeMarkdown(`${event}: ${headline}`)}`
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
  const times = [escapeMarkdown(restOf(report)), describeTimes(windows), linksOf(report)].filter((part) => part !== '').join(' ')
  const how = [...describeHow(report), ...notes].map(escapeMarkdown)
  const fold = (parts: readonly string[]) =>
    ['<details><summary>How this was judged</summary>', ...parts.filter((part) => part !== ''), '</details>', ''].join('\n\n')
  return isChanged(report)
    ? [heading, times, ...table, fold([how.join(' ')])].join('\n\n')
    : [heading, fold([...table, times, how.join(' ')])].join('\n\n')
}

/** @returns what failed after the event, as links say it, and the parameters of the page that lists it */
function listFailing({ series, windows }: Pick<VerdictDetails, 'series' | 'windows'>) {
  return series.flatMap((one) => {
    if (!one.failing) return []
    const { apl, count } = one.failing
    const [, where = ''] = nameOf(one, series).split(/(?= of )/)
    const what = one.kind === 'share' ? 'failing requests' : 'errors'
    return [{ text: `See the ${count.toLocaleString('en')} ${what}${where}`, view: { apl, ...windows.after } }]
  })
}

function linksOf({ page, ...details }: Report): string {
  if (page === undefined) return ''
  const failing = listFailing(details).map(({ text, view }) => {
    const { href } = new URL(formatParameters(new URLSearchParams(view)), page)
    return `[${escapeMarkdown(text)}](<${href}>)`
  })
  return [...failing, `[charts](<${page}>)`].join(' · ')
}

/**
 * @param clean makes text from data one harmless line
 * @returns the sentence, then lines with aligned columns
 */
export function toText(report: Report, clean: (text: string) => string): string[] {
  const { event, headline, notes } = report
  const rows = rowsOf(report).map((one) => [
    SHOWN[one.verdict][1],
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
