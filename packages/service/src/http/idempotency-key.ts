/**
 * Reads the `Idempotency-Key` of a request, the same for every route that honors one.
 */
import { IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_KEY_PATTERN } from '@deployment-annotations/contract/rules/header'
import type { FastifyRequest } from 'fastify'
import { quoted, ServiceError } from '../errors.ts'

/** @throws ServiceError `malformed` */
export function readIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers[IDEMPOTENCY_KEY_HEADER]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY_PATTERN.test(key)) {
    throw new ServiceError('malformed', `Idempotency-Key must be 1 to 255 visible ASCII characters, got ${quoted(String(key))}`)
  }
  return key
}
