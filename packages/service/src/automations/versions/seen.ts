/**
 * Which versions the events of a dataset carry: the query that finds them, and its rows.
 * Deliberately not here: which of them are releases (version-detector.ts).
 */
import type { Ask } from '@deployment-annotations/compare/comparison'
import { type KnownField, quoteField } from '@deployment-annotations/compare/signs'
import { findFields, USUAL_NAMES } from '@deployment-annotations/compare/usual-names'
import { formatSpan, type Span } from '@deployment-annotations/compare/windows'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import type { SeenVersion } from '@deployment-annotations/records/datasets/seen-version-records'
import { listFields } from '../../query/catalog.ts'
import { isTag } from '../../wire/tags.ts'

/** What programs write if they do not know their version. */
const NO_VERSION = /^(?:|unknown|unset|none|null|nil|undefined|n\/a|-)$/i
/** A field with more values is no version. */
export const SEEN_MAX = 1_000

/** @returns the query; `undefined` if no field of the dataset carries a version */
export function seenQuery(dataset: Dataset, versionFields: readonly string[]): string | undefined {
  const fields = listFields(dataset)
  const version = readFirst(fields, versionFields)
  if (version === undefined) return undefined
  const [service, environment] = [USUAL_NAMES.service, USUAL_NAMES.environment].map((names) => readFirst(fields, names) ?? "''")
  return `['${dataset.name}']
| extend seenVersion = ${version}, seenService = ${service}, seenEnvironment = ${environment}
| where isnotempty(seenVersion)
| summarize seenFirst = min(_time), seenLast = max(_time) by seenVersion, seenService, seenEnvironment
| project seenVersion, seenService, seenEnvironment, seenFirst, seenLast
| limit ${SEEN_MAX + 1}`
}

/** @returns the versions of this time; more than {@link SEEN_MAX} if the field carries something else. @throws as `ask` does */
export async function readSeen(ask: Ask, apl: string, span: Span): Promise<SeenVersion[]> {
  const { tables } = await ask({ name: 'versions', apl }, formatSpan(span))
  const columns = tables[0]?.columns ?? []
  const rows = columns[0]?.map((_, row) => columns.map((column) => String(column[row] ?? '').trim())) ?? []
  return rows.flatMap(([version = '', service = '', environment = '', first = '', last = '']) => {
    const areTags = [version, service, environment].every((text) => text === '' || isTag(text))
    if (!areTags || NO_VERSION.test(version)) return []
    return [{ version, service, environment, firstNs: parseTimestamp(first) ?? 0n, lastNs: parseTimestamp(last) ?? 0n }]
  })
}

/** @returns an expression: the first of these fields that has a value */
function readFirst(fields: readonly KnownField[], names: readonly string[]): string | undefined {
  const texts = findFields(fields, names)
    .filter(({ type }) => /string|integer|float|number/.test(type))
    .map(({ name }) => `tostring(${quoteField(name)})`)
  return texts.length > 1 ? `coalesce(${texts.join(', ')})` : texts[0]
}
