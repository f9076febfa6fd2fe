/**
 * What an API of others is to this service, in which tools mark that take another address: which header has the token, and what becomes
 * of its requests. One file each. Bodies are read into those of our own operations, whose schemas then check them. Pure.
 */
import {
  ANNOTATION_TYPE_PATTERN,
  DESCRIPTION_POINTS_MAX,
  TAG_PATTERN,
  TAG_POINTS_MAX,
  TAGS_MAX,
  TITLE_POINTS_MAX,
  TYPE_POINTS_MAX,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import { DELETED_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { parseEpoch } from '@deployment-annotations/contract/epoch'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { AnnotationChange } from '@deployment-annotations/contract/schemas/annotation'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import { formatTimestamp, isStorable, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'

export interface AnnotationApi {
  /** In which its clients send the token, in lower case; without it, as ours do. */
  tokenHeader?: string
  operations: readonly RequestKind[]
}

/** A request of a client. */
export interface ApiRequest {
  body: Readonly<Record<string, unknown>>
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  /** Whether there is such a dataset, and the caller may mark it. */
  isDataset: (name: string) => boolean
  /** The datasets that the caller is limited to; `undefined` without a limit. */
  limit: readonly string[] | undefined
}

export interface RequestKind {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /**
   * `create` makes an annotation, and `put` the one of its key; `change`, `remove` and `get` are about the one of `id`; `find` about the
   * one of a key; `list` about those of `filter`; `none` about none.
   */
  does: 'create' | 'put' | 'change' | 'remove' | 'get' | 'find' | 'list' | 'none'
  status?: number
  /** @returns the body of our own operation; @throws ServiceError `invalid` naming the member and its value */
  read?: (request: ApiRequest) => AnnotationChange
  /** Of a create: the same for a repeat; `undefined` where the request does not tell a repeat from another one. Of the others: the key. */
  key?: (request: ApiRequest) => string | undefined
  /** The id or the number of the annotation. */
  id?: (request: ApiRequest) => string
  filter?: (request: ApiRequest) => { datasets?: string[]; startNs?: bigint; endNs?: bigint }
  answer: (found: readonly StoredAnnotation[], request: ApiRequest) => unknown
}

/** @returns the datasets that the request names and that are there, or else those that the token is limited to; @throws ServiceError `invalid` */
export function placeOf(names: readonly unknown[], { isDataset, limit }: ApiRequest, how: string): string[] {
  const said = names.filter((name): name is string => typeof name === 'string' && isDataset(name))
  const datasets = said.length > 0 ? [...new Set(said)] : limit?.filter((name) => !DELETED_NAME_PATTERN.test(name))
  if (datasets && datasets.length > 0) return [...datasets]
  throw invalid(VALIDATION_CODES.required, `${how}, or use a token that is limited to the datasets to mark`)
}

/** @returns the texts as an annotation may have them; empty ones are left out */
export function textsOf({ title, description, url }: { title: unknown; description?: unknown; url?: unknown }): AnnotationChange {
  const line = lineOf(title)
  const more = typeof description === 'string' ? description.trim() : ''
  const link = typeof url === 'string' && /^https?:\/\//i.test(url) && countPoints(url) <= URL_POINTS_MAX ? url : undefined
  return {
    title: cutText(line, TITLE_POINTS_MAX),
    ...(more !== '' && { description: cutText(more, DESCRIPTION_POINTS_MAX) }),
    ...(link !== undefined && { url: link }),
  }
}

/** @returns the text on one line; empty for what is no text */
export function lineOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\s+/g, ' ').trim() : ''
}

/** @returns the text as a type of annotations: small letters, digits and hyphens */
export function typeOf(value: unknown, otherwise: string): string {
  const type = lineOf(value)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, TYPE_POINTS_MAX)
  return ANNOTATION_TYPE_PATTERN.test(type) ? type : otherwise
}

/** @returns the members that are texts, and that an annotation may have */
export function belongsTo(members: { service?: unknown; environment?: unknown; version?: unknown }): AnnotationChange {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (isTag(lineOf(value)) ? [[name, lineOf(value)]] : [])),
  )
}

export function tagsOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value.map(lineOf) : []
  return [...new Set(all.filter(isTag))].slice(0, TAGS_MAX)
}

const isTag = (text: string) => text !== '' && countPoints(text) <= TAG_POINTS_MAX && TAG_PATTERN.test(text)

/** @returns a time of a body, as our own have it: RFC 3339, or a number since 1970; @throws ServiceError `invalid` */
export function timeOf(member: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '' || value === 0) return undefined
  const text = String(value)
  const ns = typeof value === 'number' || /^-?[\d.]+$/.test(text) ? parseEpoch(text) : parseTimestamp(text)
  if (ns !== undefined && isStorable(ns)) return formatTimestamp(ns)
  throw invalid(VALIDATION_CODES.pattern, `${member} must be a time in RFC 3339 or a number since 1970, got ${showValue(value)}`)
}

export const secondsOf = (ns: bigint): number => Number(ns / UNIT_NS.s)
export const millisOf = (ns: bigint): number => Number(ns / UNIT_NS.ms)
