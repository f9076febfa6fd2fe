/** Which version began with an event, and which one runs beside it. Most events have one version only, which one query shows. */
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import { toNumber } from './columns.ts'
import type { Ask } from './comparison.ts'
import type { Asked, Versions } from './default-queries.ts'
import { isThere, type KnownField, quoteField, quoteText } from './signs.ts'
import { findFields, USUAL_NAMES } from './usual-names.ts'
import { formatSpan, type Windows } from './windows.ts'

/** What ran at the end of the time after is still there: a roll-out of some minutes is over by then. */
const END_PART = 0.2
/** So many events of each there say something. */
const EVENTS_MIN = 10
/** An old version with a smaller part of the new one's events is on its way out; one with a smaller part before the event began with it. */
const PART_MIN = 0.05

/**
 * @param asked with what its events have
 * @returns the new version with most events, and the largest old one of the same service; `undefined` unless both still run together at
 *   the end of the time after
 * @throws as `ask`
 */
export async function findVersions(
  ask: Ask,
  { source, fields, presence }: Asked,
  { before, after }: Pick<Windows, 'before' | 'after'>,
): Promise<Versions | undefined> {
  const isUsed = ({ name }: KnownField) => (presence?.of(isThere(name)).after ?? 0) > 0
  const [version, service] = [USUAL_NAMES.version, USUAL_NAMES.service].map((names) => findFields(fields, names).find(isUsed))
  if (!version) return undefined
  const by = [version, service].flatMap((field) => (field ? [`tostring(${quoteField(field.name)})`] : []))
  const lateMs = after.endMs - END_PART * (after.endMs - after.startMs)
  const [first, last] = [before.endMs, lateMs].map((ms) => `datetime(${formatMillis(ms)})`)
  const counts = `before = countif(_time < ${first}), late = countif(_time >= ${last})`
  const apl = `${source}\n| summarize ${counts} by ${by.map((value, at) => `value${at} = ${value}`).join(', ')}`
  const { tables } = await ask({ name: 'versions', apl }, formatSpan({ startMs: before.startMs, endMs: after.endMs }))
  const { fields: names = [], columns = [] } = tables[0] ?? {}
  const columnOf = (column: string) => columns[names.findIndex(({ name }) => name === column)] ?? []
  const found = columnOf('late').map((late, row) => ({
    late: toNumber(late) ?? 0,
    before: ((toNumber(columnOf('before')[row]) ?? 0) * (after.endMs - lateMs)) / (before.endMs - before.startMs),
    values: by.map((_, at) => String(columnOf(`value${at}`)[row] ?? '')),
  }))
  const running = found.filter(({ late, values }) => late >= EVENTS_MIN && values[0] !== '').sort((a, b) => b.late - a.late)
  const isOld = (one: (typeof found)[number]) => one.before >= PART_MIN * one.late
  const began = running.find((one) => !isOld(one))
  const beside = running.find((one) => isOld(one) && one.values[1] === began?.values[1])
  if (!began || !beside || beside.late < PART_MIN * began.late) return undefined
  const toVersion = ({ values }: (typeof found)[number]) => ({
    name: values[0] ?? '',
    source: `${source}\n| where ${by.map((value, at) => `${value} == ${quoteText(values[at] ?? '')}`).join(' and ')}`,
  })
  return { began: toVersion(began), beside: toVersion(beside) }
}
