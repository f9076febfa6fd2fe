/**
 * What the bodies of the two query endpoints have in common, read and checked; nothing of them is trusted.
 * Empty members (`""`, null, and 0 for counts) mean "not given", as published clients send them.
 * Deliberately not here: the query itself; the compiler reads that.
 */

import type { Variables } from '@deployment-annotations/apl/resolve'
import type { RowPlace } from '@deployment-annotations/apl/row-id'
import { parseDuration, UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { QUERY_FORMATS, QUERY_KINDS, type QueryFormat, type QueryKind } from '@deployment-annotations/contract/query'
import { endOfMillisecond } from '@deployment-annotations/contract/relative-time'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { parseCursor } from './cursor.ts'
import { type QueryRange, readRange } from './time-range.ts'

type Members = Readonly<Record<string, unknown>>

export interface QueryRequest {
  range: QueryRange
  nowNs: bigint
  /** With the text that was sent, to be echoed. */
  cursor: (RowPlace & { inclusive: boolean; text: string }) | undefined
  /** Whether the answer says how many rows match. */
  countMatches: boolean
  /** Whether each row comes with its cursor. */
  includeCursorField: boolean
  members: Members
}

/** A request as it came. */
interface Sent {
  body: unknown
  /** The query parameters of these names, for clients that do not send the members; those of the body count more. */
  cursor: unknown
  countMatches: unknown
}

interface AplRequest extends QueryRequest {
  apl: string
  defaultLimit: number | undefined
  variables: Variables
}

/** @throws ServiceError `invalid`, `malformed` */
export function readQueryRequest({ body, cursor, countMatches }: Sent, nowMs: number): QueryRequest {
  if (body === undefined) throw invalid(VALIDATION_CODES.required, 'the body is required: a JSON object')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(VALIDATION_CODES.type, 'the body must be a JSON object')
  }
  const members = body as Members
  const nowNs = endOfMillisecond(nowMs)
  const text = optional(members, 'cursor', 'string') ?? (typeof cursor === 'string' ? cursor || undefined : undefined)
  return {
    members,
    nowNs,
    range: readRange(members.startTime, members.endTime, nowNs),
    cursor:
      text === undefined
        ? undefined
        : { ...parseCursor(text), text, inclusive: optional(members, 'includeCursor', 'boolean') ?? false },
    countMatches: optional(members, 'countMatches', 'boolean') ?? readSwitch('countMatches', countMatches) ?? true,
    includeCursorField: optional(members, 'includeCursorField', 'boolean') ?? false,
  }
}

/** @throws ServiceError `invalid`, `malformed` */
export function readAplRequest(sent: Sent, nowMs: number): AplRequest {
  const request = readQueryRequest(sent, nowMs)
  const { members } = request
  const apl = optional(members, 'apl', 'string')
  if (apl === undefined) throw invalid(VALIDATION_CODES.required, 'apl is required: the text of the query')
  const defaultLimit = readLimit('defaultLimit', members.defaultLimit)
  return { ...request, apl, defaultLimit: defaultLimit || undefined, variables: readVariables(members.variables) }
}

/** More than a number can hold is as much as it can: the service answers with fewer rows in any case. */
function readLimit(name: string, sent: unknown): number | undefined {
  const value = optional({ [name]: typeof sent === 'bigint' ? Number(sent) : sent }, name, 'number')
  if (value !== undefined && (!Number.isInteger(value) || value < 0)) {
    throw invalid(VALIDATION_CODES.min, `${name} must be a whole number, 0 or more, got ${sent}`)
  }
  return value && Math.min(value, Number.MAX_SAFE_INTEGER)
}

interface Types {
  string: string
  boolean: boolean
  number: number
}

function optional<T extends keyof Types>(members: Members, name: string, type: T): Types[T] | undefined {
  const value = members[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== type) throw invalid(VALIDATION_CODES.type, `${name} must be a ${type}, got ${describe(value)}`)
  return value as Types[T]
}

const VARIABLES_MAX = 1_000

function readVariables(value: unknown): Variables {
  if (value === undefined || value === null || value === '') return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(VALIDATION_CODES.type, `variables must be an object, got ${describe(value)}`)
  }
  const entries = Object.entries(value)
  if (entries.length > VARIABLES_MAX) throw invalid(VALIDATION_CODES.itemsMax, `variables has more than ${VARIABLES_MAX} members`)
  for (const [name, one] of entries) {
    if (one !== null && typeof one === 'object') {
      throw invalid(VALIDATION_CODES.type, `the variable ${quoted(name)} must be a string, number, boolean or null`)
    }
  }
  return Object.fromEntries(entries) as Variables
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : typeof value
}

/** @throws ServiceError `malformed` for what is neither */
function readSwitch(name: string, parameter: unknown): boolean | undefined {
  if (parameter === undefined || parameter === '') return undefined
  if (parameter !== 'true' && parameter !== 'false')
    throw new ServiceError('malformed', `${name} must be true or false, got ${quoted(String(parameter))}`)
  return parameter === 'true'
}

/** @throws ServiceError `malformed` for one that does not exist */
export function readFormat(parameter: unknown): QueryFormat {
  if (parameter === undefined || parameter === '') return 'tabular'
  const format = QUERY_FORMATS.find((known) => known === parameter)
  if (!format)
    throw new ServiceError('malformed', `format must be ${QUERY_FORMATS.join(' or ')}, got ${quoted(String(parameter))}`)
  return format
}

/** A query is not held for longer, so that connections that nobody watches come to an end. */
const STREAMING_MS_MAX = 60_000

/** @returns milliseconds; 0 where the query is not to wait for rows. @throws ServiceError `malformed` for what is no duration */
export function readStreamingMs(parameter: unknown): number {
  if (parameter === undefined || parameter === '') return 0
  const ns = typeof parameter === 'string' ? parseDuration(parameter) : undefined
  if (ns === undefined)
    throw new ServiceError(
      'malformed',
      `streaming-duration must be a duration such as 5s or 500ms, got ${quoted(String(parameter))}`,
    )
  return Math.min(Number(ns / UNIT_NS.ms), STREAMING_MS_MAX)
}

/** @returns `undefined` where the query is not to be saved. @throws ServiceError `malformed` for one that does not exist */
export function readSaveAsKind(parameter: unknown): QueryKind | undefined {
  if (parameter === undefined || parameter === '') return undefined
  const kind = QUERY_KINDS.find((known) => known === parameter)
  if (kind) return kind
  throw new ServiceError('malformed', `saveAsKind must be one of ${QUERY_KINDS.join(', ')}, got ${quoted(String(parameter))}`)
}
