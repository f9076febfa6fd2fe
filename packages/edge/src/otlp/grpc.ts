/**
 * OTLP over gRPC as OTLP over HTTP: one call is one request with a body in protobuf, so that everything that holds for the one holds for
 * the other. A message has five bytes before it: whether it is compressed, and its length; an error is in trailers.
 * Deliberately not here: HTTP/2 (http/http2.ts).
 */
import { Readable } from 'node:stream'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { SIGNALS, type SignalName } from './levels.ts'
import { RetryInfo, Status } from './messages.ts'

export const GRPC_TYPE = 'application/grpc'

/** The methods of OTLP's three services, by their paths. */
export const GRPC_METHODS: ReadonlyMap<string, SignalName> = new Map(
  Object.entries(SIGNALS).map(([name, { service }]) => [`/opentelemetry.proto.collector.${service}/Export`, name as SignalName]),
)

const PREFIX_BYTES = 5
const COMPRESSED = 1

/** Of google.rpc.Code, for each status of HTTP; clients send again what is unavailable, or exhausted and says when. */
const CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  408: 1,
  409: 9,
  413: 8,
  415: 12,
  422: 3,
  429: 8,
  503: 14,
}
export const UNIMPLEMENTED = 12
const INTERNAL = 13

/**
 * Reads the prefix of the one message of a call.
 * @returns its bytes, and whether they are compressed
 * @throws ServiceError `malformed`
 */
export async function openMessage(call: Readable): Promise<{ body: Readable; isCompressed: boolean }> {
  const chunks = call.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>
  let read: Buffer = Buffer.alloc(0)
  while (read.length < PREFIX_BYTES) {
    const next = await chunks.next()
    if (next.done) throw malformed('the call has no message')
    read = Buffer.concat([read, next.value])
  }
  const length = read.readUInt32BE(1)
  // What is read ahead is not counted by whoever bounds the bodies in memory: thousands of calls would hold sixteen pieces each.
  const body = Readable.from(messageBytes(read.subarray(PREFIX_BYTES), chunks, length), { highWaterMark: 1 })
  return { body, isCompressed: read[0] === COMPRESSED }
}

async function* messageBytes(first: Buffer, chunks: AsyncIterableIterator<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length
  for (let chunk: Buffer = first; ; ) {
    left -= chunk.length
    if (left < 0) throw malformed('the call has more than one message')
    if (chunk.length > 0) yield chunk
    const next = await chunks.next()
    if (next.done) break
    chunk = next.value
  }
  if (left > 0) throw malformed('the message ends too early')
}

/** @returns an answer as a message */
export function frame(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

/** @returns the trailers of an error @param retryAfterS when to send again, if the error says so */
export function errorTrailers(httpStatus: number, message: string, retryAfterS: number | undefined): Record<string, string> {
  const code = CODES[httpStatus] ?? INTERNAL
  const details = retryAfterS === undefined ? undefined : retryDetails(code, message, retryAfterS)
  return {
    'grpc-status': String(code),
    // Percent-encoded, except for what a header may have.
    'grpc-message': encodeURIComponent(message).replace(/%(?:20|2[1-4]|2[6-9A-F]|3[A-F]|40|5B|5D)/g, decodeURIComponent),
    ...(details && { 'grpc-status-details-bin': Buffer.from(details).toString('base64') }),
  }
}

/** google.rpc.Status with a RetryInfo, without which clients do not send again what was refused for the load. */
function retryDetails(code: number, message: string, retryAfterS: number): Uint8Array {
  const value = RetryInfo.encode({ retryDelay: { seconds: retryAfterS } }).finish()
  return Status.encode({ code, message, details: [{ typeUrl: 'type.googleapis.com/google.rpc.RetryInfo', value }] }).finish()
}

/** @returns the message of an error as OTLP over HTTP has it */
export function readError(payload: Uint8Array): string {
  return String((Status.decode(payload) as { message?: string }).message ?? '')
}

function malformed(why: string): ServiceError {
  return new ServiceError('malformed', `${why}; nothing was stored`)
}
