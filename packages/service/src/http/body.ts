/**
 * Reads request bodies: JSON in UTF-8, and nothing else yet. What a body may contain is the routes' business.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** About ten times the largest annotation that obeys the rules, every character escaped, with a hundred datasets. */
export const BODY_BYTES_MAX = 262_144

export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const encoding = request.headers['content-encoding']
    if (encoding && encoding !== 'identity') {
      throw new ServiceError(
        'unsupported_media_type',
        `a body with Content-Encoding ${quoted(encoding)} is not supported; send it uncompressed`,
      )
    }
    return bytes.length === 0 ? undefined : parseJson(bytes)
  })
  // Some clients name a type on requests that have no body.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return undefined
    const type = request.headers['content-type']
    const sent = type === undefined ? 'a body without Content-Type' : `Content-Type ${quoted(type)}`
    throw new ServiceError('unsupported_media_type', `${sent} is not supported; send application/json`)
  })
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'it is not valid UTF-8'
    throw new ServiceError('malformed', `the body is not JSON: ${reason}`, { cause })
  }
}

/** @returns a hook before validation: there is a body, and the rules are about what `tidy` makes of it */
export function tidied(tidy: (body: unknown) => unknown): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (request.body === undefined) throw invalid(VALIDATION_CODES.required, 'the body is required')
    request.body = tidy(request.body)
  }
}

/** The same for a body that needs no tidying. */
export const requireBody = tidied((body) => body)

/** The same for members of members. Items of lists stay as they are. */
export function withoutNullsInside(body: unknown): unknown {
  const tidied = withoutNulls(body)
  if (typeof tidied !== 'object' || tidied === null || Array.isArray(tidied)) return tidied
  return Object.fromEntries(Object.entries(tidied).map(([member, value]) => [member, withoutNullsInside(value)]))
}

/** Members that are null count as not sent. What is not an object is left to the rules. */
export function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
