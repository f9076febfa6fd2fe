/**
 * The body's bytes after its Content-Encoding, with bounded output: a bomb is refused while it inflates, not after.
 */
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { quoted, ServiceError } from '../errors.ts'
import { BODY_BYTES_MAX, INFLATE_BYTES_FREE, INFLATE_RATIO_MAX } from './limits.ts'

/** Spellings that published clients send for "none" are `1` and the empty text. */
const NONE = new Set(['', '1', 'identity'])
const DECODERS: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
}

/**
 * @param body the request's bytes
 * @param encoding its Content-Encoding header; several are applied from the last to the first
 * @yields chunks of at most the decoder's buffer
 * @throws {ServiceError} `unsupported_media_type`, `malformed` where the data is broken, `too_large` where it is or grew too much
 */
export async function* inflate(body: Readable, encoding: string | undefined): AsyncGenerator<Buffer> {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase())
  const wanted = names.filter((name) => !NONE.has(name)).reverse()
  const unknown = wanted.find((name) => DECODERS[name] === undefined)
  if (unknown !== undefined || wanted.length > 2) {
    throw new ServiceError('unsupported_media_type', `Content-Encoding ${quoted(encoding ?? '')} is not understood; gzip, zstd, deflate, br and identity are`)
  }
  let sent = 0
  let stream: Readable = body
  const stages = wanted.map((name) => (DECODERS[name] as () => Transform)())
  if (stages.length > 0) body.on('data', (chunk: Buffer) => (sent += chunk.length))
  for (const stage of stages) {
    stream.once('error', (error) => stage.destroy(error))
    stream = stream.pipe(stage)
  }
  let taken = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      taken += chunk.length
      if (taken > BODY_BYTES_MAX) throw new ServiceError('too_large', `the body has more than ${BODY_BYTES_MAX} bytes; send it in parts`)
      if (stages.length > 0 && taken > INFLATE_BYTES_FREE + sent * INFLATE_RATIO_MAX) {
        throw new ServiceError('too_large', `the body grew from ${sent} to over ${taken} bytes; at most ${INFLATE_RATIO_MAX} times is taken`)
      }
      yield chunk
    }
  } catch (error) {
    throw isZlibError(error) ? new ServiceError('malformed', `the body is not valid ${wanted.join(', ')}: ${(error as Error).message}`, { cause: error }) : error
  } finally {
    for (const stage of stages) stage.destroy()
  }
}

function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^(Z_|ZSTD_|ERR_(?!STREAM_PREMATURE_CLOSE).*(?:ZLIB|BROTLI|PADDING|BLOCK|_FORMAT_|ZSTD)|ERR__)/.test(code)
}
