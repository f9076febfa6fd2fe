/**
 * Reads request bodies: JSON in UTF-8 is parsed; a route that takes another form reads the stream itself.
 * Deliberately not here: what a body may contain, which its route says.
 */
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../wire/is-object.ts'

/** About ten times the largest valid annotation with a hundred datasets, every character escaped. */
export const BODY_BYTES_MAX = 262_144

export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    requireUncompressed(request)
    return bytes.length === 0 ? undefined : parseJson(bytes, JSON.parse)
  })
  // Some clients name a type on requests that have no body.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return undefined
    const type = request.headers['content-type']
    const sent = type === undefined ? 'a body without Content-Type' : `Content-Type ${quoted(type)}`
    throw new ServiceError('unsupported_media_type', `${sent} is not supported; send application/json`)
  })
}

/** @throws ServiceError `unsupported_media_type` */
export function requireUncompressed({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const encoding = headers['content-encoding']
  if (!encoding || encoding === 'identity') return
  throw new ServiceError(
    'unsupported_media_type',
    `a body with Content-Encoding ${quoted(encoding)} is not supported; send it uncompressed`,
  )
}

/** @throws ServiceError `malformed` */
export function parseJson(bytes: Buffer, parse: (text: string) => unknown): unknown {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw notJson(cause instanceof SyntaxError ? cause.message : 'it is not valid UTF-8', cause)
  }
}

/** @returns the answer to a body that is no JSON, or none that can be read */
export function notJson(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('malformed', `the body is not JSON: ${reason}`, { cause })
}

/** @returns a hook that runs before validation: it requires a body, and replaces it by what `tidy` makes of it */
export function tidied(tidy: (body: unknown) => unknown): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (request.body === undefined) throw invalid(VALIDATION_CODES.required, 'the body is required')
    request.body = tidy(request.body)
  }
}

/**
 * @param said the only member of which null says something
 * @returns the body without its members that are null, which count as not sent; anything but an object is left to validation
 */
export function withoutNulls(body: unknown, said?: string): unknown {
  if (!isObject(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null || name === said))
}

/** @returns the same, also without members of members that are null; items of lists stay as they are */
export function withoutNullsInside(body: unknown): unknown {
  const tidied = withoutNulls(body)
  if (!isObject(tidied)) return tidied
  return Object.fromEntries(Object.entries(tidied).map(([member, value]) => [member, withoutNullsInside(value)]))
}

/** How long, and how much of, the rest of a body is read and dropped before its sender is cut off. */
const DRAIN_MS_MAX = 1_000
const DRAIN_BYTES_MAX = 67_108_864

/**
 * Answers a request whose body is a stream. An error can be found long before the body's end; the rest of the body is then read and
 * dropped for a moment, because a client that is still sending would otherwise see a reset connection and not the answer.
 * @param answer reads the body
 */
export async function answerOrDrain<T>(request: FastifyRequest, reply: FastifyReply, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer()
  } catch (error) {
    const body = request.body as Readable | undefined
    if (body && !(await drain(body))) reply.header('connection', 'close')
    throw error
  }
}

/** @returns whether the end of the body was reached */
async function drain(body: Readable): Promise<boolean> {
  const tooMuch = new AbortController()
  let bytes = 0
  const drop = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DRAIN_BYTES_MAX) tooMuch.abort()
  }
  const signal = AbortSignal.any([tooMuch.signal, AbortSignal.timeout(DRAIN_MS_MAX)])
  body.on('data', drop)
  await finished(body, { signal }).catch(() => undefined)
  body.off('data', drop).pause()
  return body.readableEnded
}
