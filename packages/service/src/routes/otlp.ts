/**
 * OTLP over HTTP: traces, logs and metrics, in protobuf and in JSON, at the paths that the protocol gives and into the dataset that a
 * header names, as at the hosted service. Answers are those of the protocol, errors too.
 */
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Readable } from 'node:stream'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { OTLP_DATASET_HEADER, OTLP_METRICS_DATASET_HEADER } from '@deployment-annotations/contract/header'
import { byHand, object, optional, text } from '@deployment-annotations/contract/schema'
import { errorBody, resultBody, TYPES } from '@deployment-annotations/edge/otlp/answers'
import { Attributes, loadConventions } from '@deployment-annotations/edge/otlp/attributes'
import { type Encoding, OtlpEvents } from '@deployment-annotations/edge/otlp/events'
import {
  errorTrailers,
  frame,
  GRPC_METHODS,
  GRPC_TYPE,
  openMessage,
  readError,
  UNIMPLEMENTED,
} from '@deployment-annotations/edge/otlp/grpc'
import { SIGNALS, type SignalName } from '@deployment-annotations/edge/otlp/levels'
import { noBody } from '@deployment-annotations/event-store/request-rows'
import { InflationLimit } from '@deployment-annotations/event-store/scan/inflation-limit'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { answerOrDrain } from '../http/body.ts'
import { readKey } from '../http/request-headers.ts'
import { answerOf, errorAnswersOf } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { ingestInto, requireDatasetName } from './ingest-into.ts'

/** The limit that the protocol recommends. What a request in JSON has beside its items is parsed as one value, several times as large. */
const BODY_BYTES_MAX = { protobuf: 67_108_864, json: 16_777_216 } as const

/**
 * Objects with names of anybody's choosing: each is one field, as at the hosted service, and not one for every name. A dataset that is
 * there stays as its owner made it.
 */
const MAP_FIELDS = ['attributes.custom', 'resource.custom']

const DATASET = text('The name of the dataset.', { pattern: DATASET_NAME_PATTERN })
const HEADER = { [OTLP_DATASET_HEADER]: DATASET }
const METRICS_HEADERS = optional({ ...HEADER, [OTLP_METRICS_DATASET_HEADER]: DATASET })

const message = (name: string) => ({
  'application/json': { schema: { type: 'object', title: name } },
  'application/x-protobuf': { schema: { type: 'string', format: 'binary', title: name } },
})

/** The operation as Fastify and the document take it; its messages are OpenTelemetry's, and described there. */
function receiveSchema(title: string) {
  return {
    operationId: `receive${title}`,
    summary: `Receive ${title.toLowerCase()} of OpenTelemetry`,
    description:
      'OTLP over HTTP: protobuf or JSON, optionally compressed. Answered in the encoding of the request once the events are on disk and can be queried; what could not be stored is in `partialSuccess`.',
    tags: ['ingest'],
    headers: byHand(object(title === 'Metrics' ? METRICS_HEADERS : HEADER)),
    body: byHand({ content: message(`Export${title}ServiceRequest`) }),
    response: {
      200: answerOf('What was not stored, if anything.', object({}, { additionalProperties: true })),
      ...errorAnswersOf({ 400: '', 401: '', 403: '', 404: 'There is no such dataset.', 409: '', 413: '', 415: '', 422: '' }),
    },
  }
}

const TITLES: Readonly<Record<SignalName, string>> = { traces: 'Trace', logs: 'Logs', metrics: 'Metrics' }

export async function addOtlpRoutes(app: FastifyInstance, { ingest, bodies }: Parts): Promise<void> {
  let attributes: Promise<Attributes> | undefined

  async function receive(request: FastifyRequest, signal: SignalName): Promise<Buffer> {
    const encoding = encodingOf(request)
    if (!encoding) throw request.body ? unsupported(request) : noBody()
    const dataset = datasetOf(request, signal)
    const caller = callerOf(request)
    caller.require('ingest|create', '', dataset)
    // Also where there are no events.
    readKey(request, 'idempotency')
    using body = await bodies.read(request, BODY_BYTES_MAX[encoding], caller.id)
    attributes ??= loadConventions().then((names) => new Attributes(names))
    const growth = new InflationLimit()
    growth.addSent(body.bytes.length)
    const limits = {
      growth: (made: number) => growth.requireBytes(made),
      messages: (count: number) => body.growth.requireFew('messages', count),
    }
    const events = new OtlpEvents(signal, { bytes: body.bytes, encoding, attributes: await attributes, ...limits })
    if (await events.isEmpty()) return Buffer.from(resultBody(signal, encoding))
    const result = await ingestInto(request, ingest, {
      dataset,
      lines: events.lines(),
      write: (writer) => events.writeRows(writer),
      requireFew: (count) => body.growth.requireFew('events', count),
      mapFields: MAP_FIELDS,
    })
    return Buffer.from(resultBody(signal, encoding, result))
  }

  app.adaptHttp2 = adaptCall
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.addHook('preParsing', async (request, _reply, payload) => {
      if (!isCall(request)) return payload
      const { body, isCompressed } = await openMessage(payload as Readable)
      request.headers['content-encoding'] = isCompressed ? String(request.headers['grpc-encoding'] ?? '') : undefined
      return body
    })
    scope.addHook('onSend', writeErrors)
    scope.addHook('onSend', async (request, reply, payload) => (isCall(request) ? writeCall(reply, payload as Buffer) : payload))
    for (const signal of Object.keys(SIGNALS) as SignalName[]) {
      scope.post(`/v1/${signal}`, {
        config: { permission: 'ingest|create' },
        schema: receiveSchema(TITLES[signal]),
        handler: async (request, reply) => {
          const answer = await answerOrDrain(request, reply, () => receive(request, signal).catch(throwRetryable))
          return reply.type(TYPES[encodingOf(request) ?? 'json']).send(answer)
        },
      })
    }
  })
}

/** The calls of gRPC among the requests. */
const calls = new WeakSet<object>()
const isCall = ({ raw }: FastifyRequest) => calls.has(raw)

/** Makes a call of gRPC the request that it would be over HTTP. @returns whether it is one that is known */
function adaptCall(call: Http2ServerRequest, response: Http2ServerResponse): boolean {
  const { headers } = call
  if (!headers['content-type']?.startsWith(GRPC_TYPE)) return false
  const signal = GRPC_METHODS.get(call.url)
  if (signal === undefined || call.method !== 'POST') {
    const message = `this service has no method ${call.url.slice(0, 200)}`
    response.writeHead(200, { 'content-type': GRPC_TYPE })
    response.addTrailers({ 'grpc-status': String(UNIMPLEMENTED), 'grpc-message': encodeURI(message) })
    response.end()
    return false
  }
  calls.add(call)
  call.url = `/v1/${signal}`
  headers['content-type'] = TYPES.protobuf
  headers.host ??= call.authority
  // Answers are short, and gRPC has another way to compress them.
  delete headers['accept-encoding']
  return true
}

/**
 * Writes the answer to a call: a message and the status after it, or the status alone. It always stands in trailers: the headers alone would
 * have to end the stream, which Node does with an empty frame of data, and gRPC for C++ and Python takes that for a broken stream.
 */
function writeCall(reply: FastifyReply, payload: Buffer): Buffer | string {
  const { statusCode } = reply
  const { raw } = reply as unknown as { raw: Http2ServerResponse }
  reply.removeHeader('content-length').type(GRPC_TYPE)
  if (statusCode === 200) {
    raw.addTrailers({ 'grpc-status': '0' })
    return frame(payload)
  }
  const retryAfter = reply.getHeader('retry-after')
  const retryAfterS = retryAfter === undefined ? undefined : Number(retryAfter)
  raw.addTrailers(errorTrailers(statusCode, readError(payload), retryAfterS))
  reply.code(200)
  return ''
}

/** @returns nothing where it is no encoding of the protocol */
function encodingOf({ headers }: FastifyRequest): Encoding | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === TYPES.protobuf || type === 'application/protobuf') return 'protobuf'
  return type === TYPES.json ? 'json' : undefined
}

function unsupported({ headers }: FastifyRequest): ServiceError {
  const type = quoted(headers['content-type'] ?? '')
  return new ServiceError(
    'unsupported_media_type',
    `Content-Type ${type} is not of OTLP; send ${TYPES.protobuf} or ${TYPES.json}`,
  )
}

/** @throws ServiceError `malformed` */
function datasetOf({ headers }: FastifyRequest, signal: SignalName): string {
  const names = signal === 'metrics' ? [OTLP_METRICS_DATASET_HEADER, OTLP_DATASET_HEADER] : [OTLP_DATASET_HEADER]
  const given = names.filter((name) => headers[name] !== undefined)
  const [dataset] = given.map((name) => requireDatasetName(String(headers[name]).trim(), `the header ${name}`))
  if (dataset !== undefined) return dataset
  throw new ServiceError('malformed', `no dataset: send the header ${names.join(' or ')} with the name of one`)
}

/** Clients of the protocol throw away what is refused with any other status, and a disk has room again. */
function throwRetryable(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'storage_full') throw error
  throw new ServiceError('unavailable', error.message, { headers: error.headers, cause: error })
}

/** An error has the encoding of its request; that in JSON is as the protocol wants it. */
async function writeErrors(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode < 400 || typeof payload !== 'string' || encodingOf(request) !== 'protobuf') return payload
  reply.removeHeader('content-length').type(TYPES.protobuf)
  return Buffer.from(errorBody((JSON.parse(payload) as { message: string }).message))
}
