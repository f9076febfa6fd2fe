/**
 * Annotations between the wire and the store: what a caller sent, tidied and read, and what it is answered.
 */

import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { OWN_ANNOTATION_MEMBERS } from '@deployment-annotations/contract/header'
import type { Annotation, AnnotationChange } from '@deployment-annotations/contract/schemas/annotation'
import {
  formatTimestamp,
  parseTimestamp,
  STORABLE_FIRST_NS,
  STORABLE_LAST_NS,
  TIMESTAMP_FORMS,
} from '@deployment-annotations/contract/timestamp'
import type { StoredAnnotation, StoredChange } from '@deployment-annotations/records/annotation-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'

/** How the published Go client writes a time that was not set; it cannot leave the member out. */
export const ZERO_TIME = '0001-01-01T00:00:00Z'

/**
 * Tidies a body before its rules are checked: null and Go's zero time count as not sent, names of datasets lose the blanks
 * around them (a client splits `a, b` at the comma) and their duplicates. What is not an object is left to the rules.
 */
export function tidyBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const sent = Object.entries(body).filter(([member, value]) => value !== null && !(isTime(member) && value === ZERO_TIME))
  return Object.fromEntries(sent.map(([member, value]) => [member, member === 'datasets' ? tidyNames(value) : value]))
}

function isTime(member: string): boolean {
  return member === 'time' || member === 'endTime'
}

function tidyNames(names: unknown): unknown {
  if (!Array.isArray(names)) return names
  return [...new Set(names.map((name: unknown) => (typeof name === 'string' ? name.trim() : name)))]
}

/**
 * Reads the members of a body that obeys its schema.
 * @throws ServiceError `invalid` for a time that cannot be read or kept, and for a text with half a surrogate pair
 */
export function readMembers(body: AnnotationChange): StoredChange {
  const { datasets, time, endTime, title, description, type, url } = body
  requireWellFormed({ title, description, url })
  return {
    ...(datasets && { datasets }),
    ...(time !== undefined && { timeNs: readTime('time', time) }),
    ...(endTime !== undefined && { endTimeNs: readTime('endTime', endTime) }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(type !== undefined && { type }),
    ...(url !== undefined && { url }),
  }
}

/** @throws ServiceError `invalid` for a text with half a surrogate pair: it has no UTF-8 form, and would come back changed */
export function requireWellFormed(texts: Readonly<Record<string, string | undefined>>): void {
  for (const [member, text] of Object.entries(texts)) {
    if (text !== undefined && LONE_SURROGATE.test(text)) {
      throw invalid(
        VALIDATION_CODES.pattern,
        `${member} must be well-formed Unicode, got ${showValue(text)} with half a surrogate pair`,
      )
    }
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u

function readTime(member: string, text: string): bigint {
  const ns = parseTimestamp(text)
  if (ns === undefined) {
    throw invalid(VALIDATION_CODES.pattern, `${member} must be ${TIMESTAMP_FORMS}, got ${showValue(text)}`)
  }
  if (ns < STORABLE_FIRST_NS) {
    throw invalid(
      VALIDATION_CODES.min,
      `${member} must not be before ${formatTimestamp(STORABLE_FIRST_NS)}, got ${showValue(text)}`,
    )
  }
  if (ns > STORABLE_LAST_NS) {
    throw invalid(
      VALIDATION_CODES.max,
      `${member} must not be after ${formatTimestamp(STORABLE_LAST_NS)}, got ${showValue(text)}`,
    )
  }
  return ns
}

/** @returns the annotation with the change's members in place of its own; an empty text unsets */
export function mergeChange(annotation: StoredAnnotation, change: StoredChange): StoredAnnotation {
  const merged = { ...annotation, ...change }
  for (const member of ['title', 'description', 'url'] as const) if (merged[member] === '') delete merged[member]
  return merged
}

/** @throws ServiceError `invalid` when the span would end before it begins */
export function checkSpan({ timeNs, endTimeNs }: StoredAnnotation): void {
  if (endTimeNs !== undefined && endTimeNs < timeNs) {
    throw invalid(
      VALIDATION_CODES.min,
      `endTime must not be before time, got endTime ${formatTimestamp(endTimeNs)} and time ${formatTimestamp(timeNs)}`,
    )
  }
}

/**
 * @param isWhole with the members that are our own
 * @returns the annotation as it is answered, its members in the contract's order
 */
export function toWire(stored: StoredAnnotation, isWhole: boolean): Annotation {
  const { id, datasets, timeNs, endTimeNs, title, description, type, url } = stored
  return {
    id,
    datasets,
    time: formatTimestamp(timeNs),
    ...(endTimeNs !== undefined && { endTime: formatTimestamp(endTimeNs) }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    type,
    ...(url !== undefined && { url }),
    ...(isWhole && ownMembers(stored)),
  }
}

function ownMembers({ createdAtMs, createdBy }: StoredAnnotation): Pick<Annotation, (typeof OWN_ANNOTATION_MEMBERS)[number]> {
  return { createdAt: formatTimestamp(BigInt(createdAtMs) * UNIT_NS.ms), createdBy }
}
