/**
 * Takes replies apart: a 2xx is believed only where its body is what the contract says.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { ProtocolError } from './errors.ts'
import { toLine } from './line.ts'
import type { Reply } from './request.ts'

/** Ids go into paths, outputs and logs; one that is not made of these characters was not assigned by such a service. */
export const ID_PATTERN = /^[A-Za-z0-9_.~-]{1,128}$/

/** @throws ProtocolError */
export function parseAnnotation(reply: Reply): Annotation {
  const body = parseJson(reply)
  if (!isAnnotation(body)) throw unexpected(reply, 'an annotation with an id')
  return body
}

/** @throws ProtocolError */
export function parseAnnotations(reply: Reply): Annotation[] {
  const body = parseJson(reply)
  if (!Array.isArray(body) || !body.every(isAnnotation)) throw unexpected(reply, 'a list of annotations')
  return body
}

/** For answers whose body says nothing. */
export function parseNothing(_reply: Reply): void {}

/** @throws ProtocolError */
export function parseJson(reply: Reply): unknown {
  try {
    return JSON.parse(reply.text)
  } catch {
    throw unexpected(reply, 'JSON')
  }
}

function isAnnotation(body: unknown): body is Annotation {
  if (typeof body !== 'object' || body === null) return false
  const { id, datasets, time, type } = body as Record<string, unknown>
  const texts = [time, type].every((value) => typeof value === 'string')
  return typeof id === 'string' && ID_PATTERN.test(id) && texts && isTextList(datasets)
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function unexpected(reply: Reply, expected: string): ProtocolError {
  const { method, path, body } = reply.details
  const got = reply.text === '' ? 'an empty body' : toLine(body ?? '', 200)
  return new ProtocolError(`${method} ${path} answered ${reply.status} without ${expected}: ${got}`, reply.details)
}
