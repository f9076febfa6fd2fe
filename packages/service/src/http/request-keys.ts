/**
 * Reads the keys that a request carries in headers, the same for every route that honors one.
 */
import {
  ANNOTATION_KEY_FORM,
  ANNOTATION_KEY_HEADER,
  ANNOTATION_KEY_PATTERN,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
} from '@deployment-annotations/contract/header'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyRequest } from 'fastify'

type WithHeaders = Pick<FastifyRequest, 'headers'>

/** The repeat of a request has the same one. @throws ServiceError `malformed` */
export function readIdempotencyKey(request: WithHeaders): string | undefined {
  return readKey(
    request,
    IDEMPOTENCY_KEY_HEADER,
    IDEMPOTENCY_KEY_PATTERN,
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
  )
}

/** Says which annotation is meant, whoever asks. @throws ServiceError `malformed` */
export function readAnnotationKey(request: WithHeaders): string | undefined {
  return readKey(request, ANNOTATION_KEY_HEADER, ANNOTATION_KEY_PATTERN, `Annotation-Key must be ${ANNOTATION_KEY_FORM}`)
}

function readKey({ headers }: WithHeaders, header: string, pattern: RegExp, rule: string): string | undefined {
  const key = headers[header]
  if (key === undefined) return undefined
  if (typeof key === 'string' && pattern.test(key)) return key
  throw new ServiceError('malformed', `${rule}, got ${quoted(String(key))}`)
}
