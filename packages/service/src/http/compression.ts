/**
 * Answers of text are compressed as their reader asks: Brotli or gzip, by `Accept-Encoding`. Short ones are not worth it. The files of
 * the page are compressed when they are built (scripts/dashboard.js), and what has an encoding already is left as it is.
 */
import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress as brotliCompressTo, constants, createBrotliCompress, createGzip, gzip as gzipTo } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Headers take about as much as is saved below. */
const BYTES_MIN = 1_024
/** Answers are made for one reader: a level that saves three quarters of JSON at 100 MB a second. */
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    // 256 KiB: by default a stream that waits for its reader holds sixteen times as much.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}
const GZIP = { level: 3 }

const TEXT = /^(?:text\/|application\/(?:json|openmetrics-text|x-ndjson|xml|javascript)|image\/svg)/

const brotli = promisify(brotliCompressTo)
const gzip = promisify(gzipTo)

/** @returns the bytes, compressed as an answer is; @param isKept whether they are sent many times, and are worth more work */
export function compress(bytes: Buffer | string, encoding: Encoding, isKept = false): Promise<Buffer> {
  if (encoding === 'gzip') return gzip(bytes, isKept ? { level: 9 } : GZIP)
  return isKept ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) : brotli(bytes, BROTLI)
}

/** @returns what a reader prefers of {@link ENCODINGS}; `undefined` if it names none of them, or prefers bytes as they are */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined
  const weights = new Map(
    accepted.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = [...ENCODINGS].sort((a, b) => weightOf(b) - weightOf(a))
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

/** Must be called after every hook that looks at what is sent. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!isCompressible(reply, payload)) return payload
    reply.header('vary', [...new Set([reply.getHeader('vary') ?? [], 'accept-encoding'].flat())].join(', '))
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding === undefined || request.method === 'HEAD') return payload
    reply.header('content-encoding', encoding)
    reply.removeHeader('content-length')
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) return await compress(payload, encoding)
    const compressor = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP)
    // What fails on the way fails the answer: Fastify watches the stream that it is given.
    return pipeline(payload, compressor, () => undefined)
  })
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer | Readable {
  if (reply.hasHeader('content-encoding') || !TEXT.test(String(reply.getHeader('content-type') ?? ''))) return false
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length >= BYTES_MIN
  return typeof payload === 'object' && payload !== null && 'pipe' in payload
}
