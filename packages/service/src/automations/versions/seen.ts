/**
 * Which versions the events of a dataset carry: the query that finds them, and its rows.
 * Deliberately not here: which of them are new (arrivals.ts).
 */
import type { Ask } from '@deployment-annotations/compare/comparison'
import type { KnownField } from '@deployment-annotations/compare/default-queries'
import { formatSpan, type Span } from '@deployment-annotations/compare/windows'
import { TAG_PATTERN, TAG_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints } from '@deployment-annotations/contract/text'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { VersionPlace } from '@deployment-annotations/records/seen-version-records'

/** A version in some time: when its first and its last event were, and how many there were. */
export interface VersionSpan extends VersionPlace {
  version: string
  firstNs: bigint
  lastNs: bigint
  events: number
  /** Each minute that has events. */
  minutes: { startNs: bigint; firstNs: bigint; events: number }[]
}

/** Where services and environments stand, by the names of OpenTelemetry and of loggers; the first that an event has counts. */
const SERVICE_FIELDS = ['service.name', 'service', 'service_name', 'app', 'application']
const ENVIRONMENT_FIELDS = ['deployment.environment.name', 'deployment.environment', 'environment', 'env'].flatMap((name) => [
  name,
  `resource.${name}`,
])
/** What is written where nobody knows. */
const NO_VERSION = /^(?:unknown|unset|none|null|nil|undefined|n\/a|-)$/i
/** A field with more values in a day is no version. */
export const SEEN_MAX = 1_000

/**
 * @param isFine each minute is looked at by itself
 * @returns the query; `undefined` where no field of the dataset carries a version
 */
export function seenQuery(
  dataset: string,
  { fields, versionFields, isFine }: { fields: readonly KnownField[]; versionFields: readonly string[]; isFine: boolean },
): string | undefined {
  const version = readFirst(fields, versionFields)
  if (version === undefined) return undefined
  const [service, environment] = [SERVICE_FIELDS, ENVIRONMENT_FIELDS].map((names) => readFirst(fields, names) ?? "''")
  return `['${dataset}']
| extend seenVersion = ${version}, seenService = ${service}, seenEnvironment = ${environment}
| where isnotempty(seenVersion)
| summarize seenFirst = min(_time), seenLast = max(_time), seenEvents = count() by seenVersion, seenService, seenEnvironment${isFine ? ', bin(_time, 1m)' : ''}
| limit ${SEEN_MAX + 1}`
}

/** @returns the versions of this time; more than {@link SEEN_MAX} where the field carries something else. @throws as `ask` does */
export async function readSeen(ask: Ask, apl: string, span: Span): Promise<VersionSpan[]> {
  const { tables } = await ask({ name: 'versions', apl }, formatSpan(span))
  const columns = new Map(tables[0]?.fields.map(({ name }, at) => [name, tables[0]?.columns[at] ?? []]))
  const cell = (name: string, row: number) => columns.get(name)?.[row]
  const text = (name: string, row: number) => String(cell(name, row) ?? '').trim()
  const found = new Map<string, VersionSpan>()
  for (const row of (columns.get('seenVersion') ?? []).keys()) {
    const of = { service: text('seenService', row), environment: text('seenEnvironment', row), version: text('seenVersion', row) }
    if (!Object.values(of).every(isTag) || of.version === '' || NO_VERSION.test(of.version)) continue
    const [firstNs = 0n, lastNs = 0n, startNs = 0n] = ['seenFirst', 'seenLast', '_time'].map((name) =>
      parseTimestamp(text(name, row)),
    )
    const events = Number(cell('seenEvents', row))
    const known = found.get(JSON.stringify(of)) ?? { ...of, firstNs, lastNs, events: 0, minutes: [] }
    found.set(JSON.stringify(of), {
      ...known,
      ...(firstNs < known.firstNs && { firstNs }),
      ...(lastNs > known.lastNs && { lastNs }),
      events: known.events + events,
      minutes: [...known.minutes, { startNs, firstNs, events }],
    })
  }
  return [...found.values()]
}

const isTag = (text: string) => countPoints(text) <= TAG_POINTS_MAX && TAG_PATTERN.test(text)

/** @returns an expression: the first of these fields that has a value */
function readFirst(fields: readonly KnownField[], names: readonly string[]): string | undefined {
  const isThere = (name: string) =>
    fields.some((field) => field.name.replaceAll('\\.', '.') === name && /string|integer|float|number/.test(field.type))
  const texts = names.filter(isThere).map((name) => `tostring(['${name.replaceAll(/['\\]/g, '\\$&')}'])`)
  return texts.length > 1 ? `coalesce(${texts.join(', ')})` : texts[0]
}
