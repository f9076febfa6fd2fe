/**
 * Reads the `Idempotency-Key` of a request, the same for every route that honours one.
 */

import { IDEMPOTENCY_KEY_HEADER } from '@deployment-annotations/contract/error-body'
import type { FastifyRequest } from 'fastify'
import { quoted, ServiceError } from '../errors.ts'

/** Visible ASCII, at most 255: what any client library can send in a header. */
const KEY_PATTERN = /^[\x21-\x7e][\x20-\x7e]{0,254}$/

/** @throws ServiceError `malformed` */
export function readIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers[IDEMPOTENCY_KEY_HEADER]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !KEY_PATTERN.test(key)) {
    throw new ServiceError('malformed', `Idempotency-Key must be 1 to 255 visible ASCII characters, got ${quoted(String(key))}`)
  }
  return key
}
