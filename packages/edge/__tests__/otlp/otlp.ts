/**
 * Sends requests of OTLP over a real socket, and reads answers in both encodings.
 */
import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'
import type { RunningService } from '../../../../__tests__/support/service.ts'
import type { SignalName } from '../../src/otlp/levels.ts'
import { messageType, Response, Status } from '../../src/otlp/messages.ts'

/** The messages with lists, as clients of the protocol write them; those in the lists are the service's own. */
const { root } = messageType('Span')
protobuf.parse(readFileSync(new URL('requests.proto', import.meta.url), 'utf8'), root as protobuf.Root)

const REQUESTS = {
  traces: root.lookupType('TracesRequest'),
  logs: root.lookupType('LogsRequest'),
  metrics: root.lookupType('MetricsRequest'),
} as const

/** @returns a request in protobuf */
export const encodeRequest = (signal: SignalName, request: object): Buffer =>
  Buffer.from(REQUESTS[signal].encode(request).finish())

/** @returns a field of protobuf with a message in it */
export function field(id: number, message: Buffer): Buffer {
  const length: number[] = []
  for (let left = message.length; left > 0 || length.length === 0; left >>>= 7) length.push((left & 127) | (left > 127 ? 128 : 0))
  return Buffer.concat([Buffer.from([id * 8 + 2, ...length]), message])
}

type Target = Pick<RunningService, 'url' | 'token'>

export interface OtlpAnswer {
  status: number
  headers: Headers
  bytes: Buffer
}

export async function sendOtlp(
  service: Target,
  signal: 'traces' | 'logs' | 'metrics',
  body: object | Uint8Array,
  headers: Record<string, string> = {},
): Promise<OtlpAnswer> {
  const isBytes = body instanceof Uint8Array
  const response = await fetch(`${service.url}/v1/${signal}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.token}`,
      'content-type': isBytes ? 'application/x-protobuf' : 'application/json',
      'x-axiom-dataset': signal,
      ...headers,
    },
    body: isBytes ? new Uint8Array(body) : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The answer of protobuf, with integers as texts. */
export const readAnswer = ({ bytes }: OtlpAnswer) => JSON.parse(JSON.stringify(Response.decode(bytes), withTexts))
export const readStatus = ({ bytes }: OtlpAnswer) => Status.decode(bytes).toJSON()

function withTexts(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'low' in value ? String(value) : value
}

/** A request of one span in JSON. */
export function oneSpan(span: object, resource: object[] = []): object {
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ spans: [span] }] }] }
}
