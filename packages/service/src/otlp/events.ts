/**
 * A request of OTLP as events, one JSON object a line: `otlp/` from its start to its end. Items are read as they are needed, so that
 * a request takes little more memory than its body.
 * Deliberately not here: HTTP, and what becomes of the events.
 */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Attributes } from './attributes.ts'
import { countText, joinMembers, objectText, stringText } from './json-text.ts'
import { logEvents } from './logs.ts'
import { LOGS, METRICS, type ResourceMessage, type ScopeMessage, TRACES } from './messages.ts'
import { metricEvents } from './metrics.ts'
import { spanEvents } from './spans.ts'
import { type RawMessage, WireError } from './wire.ts'

/** How a request is written, which is how it is answered. */
export type Encoding = 'protobuf' | 'json'

export const SIGNALS = {
  traces: { ...TRACES, eventsOf: spanEvents },
  logs: { ...LOGS, eventsOf: logEvents },
  metrics: { ...METRICS, eventsOf: metricEvents },
} as const

export type SignalName = keyof typeof SIGNALS

/** Sent on in pieces of about this size. */
const PIECE_CHARACTERS = 65_536

/**
 * @param growth is told how many bytes there are so far
 * @yields whole lines
 * @throws ServiceError `malformed`
 */
export function* readEvents(
  name: SignalName,
  body: { bytes: Buffer; encoding: Encoding },
  attributes: Attributes,
  growth: (bytes: number) => void,
): Generator<Buffer> {
  let text = ''
  let bytes = 0
  try {
    for (const event of eachEvent(name, readRequest(body), attributes)) {
      text += event
      if (text.length < PIECE_CHARACTERS) continue
      bytes += text.length
      growth(bytes)
      yield Buffer.from(text)
      text = ''
    }
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    throw new ServiceError('malformed', `the body is not a request of OTLP: ${cause.message}; nothing was stored`, { cause })
  }
  if (text !== '') yield Buffer.from(text)
}

function readRequest({ bytes, encoding }: { bytes: Buffer; encoding: Encoding }): RawMessage {
  if (encoding === 'protobuf') return bytes
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as RawMessage
  } catch (cause) {
    throw new WireError(`it is not JSON: ${(cause as Error).message}`, { cause })
  }
}

function* eachEvent(name: SignalName, request: RawMessage, attributes: Attributes): Generator<string> {
  const { request: Request, resource: Resource, scope: Scope, names, eventsOf } = SIGNALS[name]
  for (const rawResource of listOf(Request.read(request), names.resources)) {
    const resource = Resource.read(rawResource)
    const ofResource = resourceMembers(resource, attributes)
    for (const rawScope of listOf(resource, names.scopes)) {
      const scope = Scope.read(rawScope)
      const common = [ofResource, scopeMembers(scope, attributes)].filter((text) => text !== '').join(',')
      for (const item of listOf(scope, names.items)) {
        for (const own of eventsOf(item, attributes)) yield `{${own}${own === '' || common === '' ? '' : ','}${common}}\n`
      }
    }
  }
}

function listOf(message: object, name: string): readonly RawMessage[] {
  return (message as Record<string, readonly RawMessage[] | undefined>)[name] ?? []
}

function resourceMembers(message: { resource?: ResourceMessage; schemaUrl?: string }, attributes: Attributes): string {
  const { resource, schemaUrl } = message
  return attributes.resourceMembers(resource?.attributes, [
    ['schema_url', stringText(schemaUrl)],
    ['dropped_attributes_count', countText(resource?.droppedAttributesCount)],
  ])
}

function scopeMembers({ scope, schemaUrl }: { scope?: ScopeMessage; schemaUrl?: string }, attributes: Attributes): string {
  return joinMembers([
    [
      'scope',
      objectText([
        ['name', stringText(scope?.name)],
        ['version', stringText(scope?.version)],
        ['schema_url', stringText(schemaUrl)],
        ['attributes', attributes.text(scope?.attributes)],
        ['dropped_attributes_count', countText(scope?.droppedAttributesCount)],
      ]),
    ],
  ])
}
