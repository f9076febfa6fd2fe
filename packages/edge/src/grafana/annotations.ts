/**
 * Annotations in the form of Grafana's API, for the tools that mark there: a text and tags become title, description, link, datasets and
 * type, and the reverse. Source: https://grafana.com/docs/grafana/latest/developers/http_api/annotations/. Pure.
 */

import type { AnnotationChange } from '@deployment-annotations/contract/annotation'
import { DESCRIPTION_POINTS_MAX, TITLE_POINTS_MAX, URL_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { deletedName } from '@deployment-annotations/contract/dataset-name'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { readNamedTag, TAGS_LINE, valuesOf } from '../tags.ts'

export type Tagged = Pick<NumberedAnnotation, 'description' | 'datasets' | 'type'>

/** What an annotation that is changed was before. */
type MarkBefore = Omit<NumberedAnnotation, 'number' | 'createdAtMs'>

/** An annotation as it is kept, and the number by which these clients know it. */
interface NumberedAnnotation {
  number: number
  datasets: readonly string[]
  /** Nanoseconds since the epoch. */
  timeNs: bigint
  endTimeNs?: bigint
  title?: string
  description?: string
  type: string
  createdAtMs: number
}

/** The type where no tag says one: that of the step. */
const DEFAULT_TYPE = 'deploy'
/** Tags beyond this length, together, are left out. */
const TAGS_POINTS_MAX = 160

export type GrafanaAnnotation = ReturnType<typeof toGrafana>

/** @returns the annotation with times in milliseconds since the epoch; the end of a moment is its time */
export function toGrafana(stored: NumberedAnnotation) {
  const { number: id, timeNs, endTimeNs = timeNs, title = '', createdAtMs } = stored
  return {
    id,
    time: Number(timeNs / UNIT_NS.ms),
    timeEnd: Number(endTimeNs / UNIT_NS.ms),
    text: [title, withoutTags(stored)].filter((part) => part !== '').join('\n'),
    tags: tagsOf(stored),
    created: createdAtMs,
    updated: createdAtMs,
    // What Grafana's annotations have, and none has here.
    dashboardUID: '',
    dashboardId: 0,
    panelId: 0,
    alertId: 0,
    alertName: '',
    newState: '',
    prevState: '',
    userId: 0,
    login: '',
    email: '',
    avatarUrl: '',
    data: {},
  }
}

export type GraphiteEvent = ReturnType<typeof toGraphite>

/** @returns the annotation as one of Graphite's events, which have a time in seconds since the epoch, and no end */
export function toGraphite(stored: NumberedAnnotation) {
  const { number: id, timeNs, title = '', type } = stored
  return {
    id,
    when: Number(timeNs / UNIT_NS.s),
    what: title === '' ? type : title,
    data: withoutTags(stored),
    tags: tagsOf(stored),
  }
}

const withoutTags = ({ description = '' }: Pick<NumberedAnnotation, 'description'>) => description.replace(TAGS_LINE, '')

/** @returns the tags that it was made with, or else its datasets and its type; all of them can be sent back */
export function tagsOf({ description, datasets, type }: Tagged): string[] {
  const tags = readTagsLine(description) ?? [...datasets, `type:${type}`]
  return tags.map((tag) => {
    const { kind = 'dataset', value = tag } = readNamedTag(tag) ?? {}
    const isDeleted = kind === 'dataset' && !datasets.includes(value) && datasets.includes(deletedName(value))
    return isDeleted ? deletedName(tag) : tag
  })
}

/** @returns the tags that stand in a description; `undefined` where none do */
const readTagsLine = (description = '') => TAGS_LINE.exec(description)?.[1]?.split(', ')

/**
 * Reads what a tool sends. `type:NAME` among the tags says of which type it is; all tags stand in the description too.
 * @param before the annotation that is changed, whose text or tags stay where the body has none
 * @returns the body that our own operation would get but for the datasets, whose schema then checks it; and the tags as they were sent,
 *   `undefined` where they are to stay, which say on which datasets it is
 * @throws ServiceError `invalid` naming the member and its value
 */
export function readMark(body: unknown, before?: MarkBefore) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse('the body', 'must be an object', body)
  const { text, tags, when, time = readWhen(when), timeEnd } = body as Readonly<Record<string, unknown>>
  // Grafana's client for Go always sends them, as null where they are to stay.
  const given = before && (tags === undefined || tags === null) ? undefined : readTags(tags ?? [])
  const timeNs = readMillis('time', time)
  const endNs = readMillis('timeEnd', timeEnd)
  // Grafana writes a moment as a span that ends where it begins.
  const isSpan = endNs !== undefined && (endNs !== (timeNs ?? before?.timeNs) || before?.endTimeNs !== undefined)
  const change: AnnotationChange = {
    ...(timeNs !== undefined && { time: formatTimestamp(timeNs) }),
    ...(isSpan && { endTime: formatTimestamp(endNs) }),
    ...(given && { type: valuesOf(given, 'type')[0] ?? before?.type ?? DEFAULT_TYPE }),
    ...readText(text, given, before),
  }
  return { change, tags: given }
}

/** The body of `/api/annotations/graphite`. */
export function readGraphite(body: unknown): { text: string; tags: string[]; time?: number } {
  const { what, data, tags = [], when } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (typeof what !== 'string' || what.trim() === '') throw refuse('what', 'must be a text', what)
  if (data !== undefined && typeof data !== 'string') throw refuse('data', 'must be a text', data)
  return {
    text: data ? `${what}\n${data}` : what,
    tags: typeof tags === 'string' ? tags.split(/\s+/).filter(Boolean) : readTags(tags),
    ...(when !== undefined && { time: readWhen(when) ?? 0 }),
  }
}

/** The time of Graphite's events, which Flux sends to the other address too. */
function readWhen(when: unknown): number | undefined {
  if (when === undefined || when === null) return undefined
  if (typeof when !== 'number' || !Number.isFinite(when)) throw refuse('when', 'must be seconds since the epoch', when)
  return Math.round(when * 1_000)
}

function readTags(tags: unknown): string[] {
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) throw refuse('tags', 'must be a list of texts', tags)
  const parts = tags.flatMap((tag) => tag.split(','))
  return [...new Set(parts.map((tag) => tag.replace(/\s+/g, ' ').trim()).filter((tag) => tag !== ''))]
}

/** @returns nanoseconds since the epoch; nothing for 0, as Grafana has it */
export function readMillis(member: string, value: unknown): bigint | undefined {
  if (value === undefined || value === null || value === 0) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > 8.64e15) {
    throw refuse(member, 'must be milliseconds since the epoch', value)
  }
  return BigInt(Math.round(value)) * UNIT_NS.ms
}

/** The first line is the title, what follows the description, and the first link the link. Tools write HTML here. */
function readText(text: unknown, tags: readonly string[] | undefined, before?: MarkBefore): AnnotationChange {
  const tagsNow = tags ?? readTagsLine(before?.description) ?? []
  if (text === undefined || text === null) {
    if (!before) throw refuse('text', 'must not be empty', text)
    return tags ? { description: addTags(withoutTags(before), tagsNow) } : {}
  }
  if (typeof text !== 'string') throw refuse('text', 'must be a text', text)
  const [title = '', ...rest] = toPlain(text).split('\n')
  if (title === '') throw refuse('text', 'must not be empty', text)
  const [url] = /https?:\/\/[^\s"'<>)]+/.exec(text) ?? []
  const more = rest.join('\n').trim()
  const uncut = countPoints(title) > TITLE_POINTS_MAX ? [title, more].filter(Boolean).join('\n') : more
  return {
    title: cutText(title, TITLE_POINTS_MAX),
    description: addTags(uncut, tagsNow),
    ...(url !== undefined && countPoints(url) <= URL_POINTS_MAX && { url }),
  }
}

function addTags(description: string, tags: readonly string[]): string {
  let kept = tags
  while (kept.length > 0 && countPoints(kept.join(', ')) > TAGS_POINTS_MAX) kept = kept.slice(0, -1)
  if (kept.length === 0) return cutText(description, DESCRIPTION_POINTS_MAX)
  const line = `Tags: ${kept.join(', ')}`
  return description === '' ? line : `${cutText(description, DESCRIPTION_POINTS_MAX - countPoints(line) - 2)}\n\n${line}`
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

function toPlain(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(/<br\s*\/?>|<\/(?:p|div|li)>/gi, '\n')
  const bare = lines.replace(/<\/?[a-z][^<>]*>/gi, '')
  return bare.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '').trim()
}

/** @returns the error for a member or a parameter that breaks a rule */
export function refuse(member: string, rule: string, value: unknown) {
  return invalid(VALIDATION_CODES.pattern, `${member} ${rule}, got ${showValue(value)}`)
}
