/**
 * Annotations between the wire and the store: bodies and parameters are tidied and read, and answers are written, with what a person
 * should know about an annotation in headers.
 */
import { guessName } from '@deployment-annotations/apl/text/nearest'
import type { AnnotationChange } from '@deployment-annotations/contract/annotation'
import { DATASET_NAME_PATTERN, DELETED_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { endOfMillisecond } from '@deployment-annotations/contract/relative-time'
import {
  clampStorable,
  formatTimestamp,
  isStorable,
  STORABLE_FIRST_NS,
  STORABLE_LAST_NS,
} from '@deployment-annotations/contract/timestamp'
import { VERDICTS, type Verdict } from '@deployment-annotations/contract/verdict'
import type {
  StoredAnnotation,
  StoredChange,
  StoredFilter,
  TagFilter,
} from '@deployment-annotations/records/annotations/annotation-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { isObject } from '../wire/is-object.ts'
import { readTime, readTimeParameter, ZERO_TIME } from '../wire/request-time.ts'

/**
 * Tidies a body before its rules are checked: null and Go's zero time count as not sent, names of datasets lose the spaces
 * around them (a client splits `a, b` at the comma) and their duplicates, and those of deleted datasets count as not sent. Anything but an object is left to validation.
 */
export function tidyBody(body: unknown): unknown {
  if (!isObject(body)) return body
  const sent = Object.entries(body).filter(([member, value]) => value !== null && !(value === ZERO_TIME && TIMES.has(member)))
  const tidied = Object.fromEntries(sent) as Record<string, unknown>
  if (!Array.isArray(tidied.datasets)) return tidied
  const { datasets, ...others } = tidied
  const names = [...new Set((datasets as unknown[]).map((name) => (typeof name === 'string' ? name.trim() : name)))]
  // A client that sends back what it read says nothing of them.
  const there = names.filter((name) => typeof name !== 'string' || !DELETED_NAME_PATTERN.test(name))
  return there.length === 0 && names.length > 0 ? others : { ...others, datasets: there }
}

const TIMES: ReadonlySet<string> = new Set(['time', 'endTime'])

/**
 * Reads the members of a body that obeys its schema.
 * @throws ServiceError `invalid` for a time that cannot be read or kept, and for a text with half a surrogate pair
 */
export function readMembers(body: AnnotationChange): StoredChange {
  const { datasets, time, endTime, title, description, type, url, open, service, environment, version, tags } = body
  const texts = { title, description, url, service, environment, version }
  requireWellFormed({ ...texts, tags: tags?.join() })
  return dropUndefined({
    ...texts,
    ...{ datasets, type, open },
    timeNs: readStorableTime('time', time),
    endTimeNs: readStorableTime('endTime', endTime),
    tags: tags && [...new Set(tags.filter((tag) => tag !== ''))],
  })
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** @throws ServiceError `invalid` for a text with half a surrogate pair: it has no UTF-8 form, and would come back changed */
export function requireWellFormed(members: object): void {
  for (const [member, text] of Object.entries(members) as [string, unknown][]) {
    if (typeof text !== 'string' || !LONE_SURROGATE.test(text)) continue
    const message = `${member} must be well-formed Unicode, got ${showValue(text)} with half a surrogate pair`
    throw invalid(VALIDATION_CODES.pattern, message)
  }
}

function readStorableTime(member: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const ns = readTime(member, text)
  if (isStorable(ns)) return ns
  const { min, max } = VALIDATION_CODES
  const [code, side, edge] = ns < STORABLE_FIRST_NS ? [min, 'before', STORABLE_FIRST_NS] : [max, 'after', STORABLE_LAST_NS]
  throw invalid(code, `${member} must not be ${side} ${formatTimestamp(edge)}, got ${showValue(text)}`)
}

/** @returns the members that say something: an empty text or list unsets one */
export function withoutEmpty<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  const isEmpty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value))) as T
}

/** @returns the annotation with the change's members in place of its own */
export function mergeChange(annotation: StoredAnnotation, change: StoredChange): StoredAnnotation {
  const { open, ...merged } = { ...annotation, ...change }
  const isOpen = open && merged.endTimeNs === undefined
  return withoutEmpty<StoredAnnotation>({ ...merged, open: isOpen || undefined })
}

/** @throws ServiceError `invalid` when the span would end before it begins */
export function checkSpan({ timeNs, endTimeNs }: StoredAnnotation): void {
  requireOrder(['time', timeNs], ['endTime', endTimeNs])
}

type NamedTime = [name: string, ns: bigint | undefined]

function requireOrder([start, startNs]: NamedTime, [end, endNs]: NamedTime): void {
  if (startNs === undefined || endNs === undefined || endNs >= startNs) return
  const got = `got ${end} ${formatTimestamp(endNs)} and ${start} ${formatTimestamp(startNs)}`
  throw invalid(VALIDATION_CODES.min, `${end} must not be before ${start}, ${got}`)
}

/** The query parameters as the URL parser returns them. */
type Query = Readonly<Record<string, string | string[] | undefined>>

/**
 * Reads the query parameters of the list. It is written by hand because published clients send them in ways
 * that no schema says: repeated, empty, with the year 1, with a `+` that became a space, `end` under the name `start`. An empty
 * parameter counts as not given. The earliest `start` and the latest `end` count, so that nothing that was asked for is hidden.
 * @param nowMs what "now" stands for
 * @throws ServiceError `invalid` naming the parameter and its value
 */
export function readFilter(parameters: unknown, nowMs: number): StoredFilter {
  const query = parameters as Query
  const startNs = readInstants('start', query.start, nowMs)[0]
  const endNs = readInstants('end', query.end, nowMs).at(-1)
  requireOrder(['start', startNs], ['end', endNs])
  const [datasets, verdicts, tags] = [readNames(query.datasets), readVerdicts(query.verdict), readTagFilter(query)]
  return dropUndefined({ startNs, endNs, datasets, verdicts, tags })
}

const TAG_PARAMETERS = ['service', 'environment', 'version', 'tag'] as const

/** @returns what is asked for of each; what is not asked for is absent */
function readTagFilter(query: Query): TagFilter | undefined {
  const asked = TAG_PARAMETERS.flatMap((name) => {
    const values = splitList(query[name])
    return values ? [[name, values] as const] : []
  })
  return asked.length > 0 ? Object.fromEntries(asked) : undefined
}

/** @returns what a parameter names; `undefined` where it names nothing */
function splitList(value: string | string[] | undefined): string[] | undefined {
  const items = [value ?? []].flat().flatMap((text) => text.split(','))
  const names = items.map((item) => item.trim()).filter((item) => item !== '')
  return names.length > 0 ? [...new Set(names)] : undefined
}

/** What is gone is worse, too. */
function readVerdicts(value: string | string[] | undefined): Verdict[] | undefined {
  const verdicts = splitList(value)?.map((name) => {
    const verdict = VERDICTS.find((one) => one === name)
    if (verdict) return verdict
    throw invalid(VALIDATION_CODES.pattern, `verdict must be one of ${VERDICTS.join(', ')}, got ${showValue(name)}`)
  })
  return verdicts?.includes('worse') ? [...new Set([...verdicts, 'gone' as const])] : verdicts
}

/** @returns the given instants, ascending */
function readInstants(name: string, value: string | string[] | undefined, nowMs: number): bigint[] {
  const texts = [value ?? []].flat().filter((text) => text !== '' && text !== ZERO_TIME)
  const instants = texts.map((text) => clampStorable(readTimeParameter(name, text, endOfMillisecond(nowMs))))
  return instants.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

function readNames(value: string | string[] | undefined): string[] | undefined {
  const given = splitList(value)
  const wrong = given?.find((name) => !DATASET_NAME_PATTERN.test(name))
  if (wrong === undefined) return given
  const rule = `datasets must be names that match ${DATASET_NAME_PATTERN.source}`
  throw invalid(VALIDATION_CODES.pattern, `${rule}, got ${showValue(wrong)}`)
}

/** How many datasets a warning names, because a header must stay small. */
const NAMED_MAX = 5

/**
 * @param missing names of datasets that do not exist
 * @param existing the datasets of which the caller may know
 * @param unmarked those of the missing ones that have no annotation before this one: in a new set-up saying so once is enough
 * @returns which do not exist, in ASCII, as names are; `undefined` where there is nothing to say
 */
export function describeMissing(
  missing: readonly string[],
  { existing, unmarked }: { existing: readonly string[]; unmarked: readonly string[] },
): string | undefined {
  const hints = missing.map((name) => ({ name, hint: guessName(name, existing)?.hint }))
  const told = hints.filter(({ name, hint }) => hint !== undefined || unmarked.includes(name))
  if (told.length === 0) return undefined
  const shown = told.slice(0, NAMED_MAX)
  const absent = shown.filter(({ hint }) => hint === undefined).map(({ name }) => `"${name}"`)
  const more = told.length - shown.length
  return [
    ...(absent.length === 0 ? [] : [`${describeAbsent(absent)} yet`]),
    ...shown.flatMap(({ name, hint }) => (hint === undefined ? [] : [`there is no dataset "${name}": ${hint}`])),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('; ')
}

function describeAbsent(names: readonly string[]): string {
  if (names.length === 1) return `the dataset ${names[0]} does not exist`
  return `the datasets ${names.slice(0, -1).join(', ')} and ${names.at(-1)} do not exist`
}
