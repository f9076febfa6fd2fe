/**
 * A request of OTLP as events, one JSON object a line: `otlp/` from its start to its end. An item is read once, from its bytes to those
 * of its events, and only when it is needed, so that a request takes little more memory than its body.
 * Deliberately not here: HTTP, and what becomes of the events.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Attributes } from './attributes.ts'
import { JsonSource } from './json-source.ts'
import { nameOf } from './json-text.ts'
import { writeLogEvents } from './logs.ts'
import { Members } from './members.ts'
import { LISTS, LOGS, Resource, Scope, TRACES } from './messages.ts'
import { METRICS } from './metric-messages.ts'
import { writeMetricEvents } from './metrics.ts'
import { ProtobufSource } from './protobuf-source.ts'
import { ABSENT, MessageFields, REQUEST } from './source.ts'
import { writeSpanEvents } from './spans.ts'
import { WireError } from './wire.ts'

/** How a request is written, which is how it is answered. */
export type Encoding = 'protobuf' | 'json'

export const SIGNALS = {
  traces: { ...TRACES, write: writeSpanEvents },
  logs: { ...LOGS, write: writeLogEvents },
  metrics: { ...METRICS, write: writeMetricEvents },
} as const

export type SignalName = keyof typeof SIGNALS

/** Sent on in pieces of about this size. */
const PIECE_BYTES = 65_536
const NEWLINE = 0x0a

const N = {
  resource: nameOf('resource'),
  scope: nameOf('scope'),
  name: nameOf('name'),
  version: nameOf('version'),
  attributes: nameOf('attributes'),
  schemaUrl: nameOf('schema_url'),
  dropped: nameOf('dropped_attributes_count'),
}

/**
 * @param growth is told how many bytes there are so far
 * @yields whole lines
 * @throws ServiceError `malformed`
 */
export function* readEvents(
  name: SignalName,
  { bytes, encoding }: { bytes: Buffer; encoding: Encoding },
  attributes: Attributes,
  growth: (bytes: number) => void,
): Generator<Buffer> {
  let made = 0
  try {
    const members = new Members(encoding === 'protobuf' ? new ProtobufSource(bytes) : new JsonSource(bytes))
    const { out } = members
    for (const _ of eachItem(name, members, attributes)) {
      if (out.length < PIECE_BYTES) continue
      made += out.length
      growth(made)
      yield out.take()
    }
    if (out.length > 0) yield out.take()
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    throw new ServiceError('malformed', `the body is not a request of OTLP: ${cause.message}; nothing was stored`, { cause })
  }
}

/** Writes the events of each item. */
function* eachItem(name: SignalName, members: Members, attributes: Attributes): Generator<void> {
  const { write, ...messages } = SIGNALS[name]
  const [request, resource, scope] = [messages.request, messages.resource, messages.scope].map(
    (message) => new MessageFields(message),
  ) as [MessageFields, MessageFields, MessageFields]
  members.find(REQUEST, request)
  for (const ofResource of request.list({ id: LISTS.resources }).all()) {
    members.find(ofResource, resource)
    const resourceText = members.aside(() => writeResource(resource, members, attributes))
    for (const ofScope of resource.list({ id: LISTS.scopes }).all()) {
      members.find(ofScope, scope)
      const scopeText = members.aside(() => writeScope(scope, members, attributes))
      const end = () => {
        members.some(resourceText)
        members.some(scopeText)
        members.close()
        members.out.byte(NEWLINE)
      }
      for (const item of scope.list({ id: LISTS.items }).all()) {
        write(item, members, attributes, end)
        yield
      }
    }
  }
}

const FIRST = { id: 1 }
const RESOURCE = new MessageFields(Resource)
const SCOPE = new MessageFields(Scope)

function writeResource(holder: MessageFields, members: Members, attributes: Attributes): void {
  const { fields } = Resource
  const at = holder.at(FIRST)
  if (at === ABSENT) RESOURCE.clear()
  else members.find(at, RESOURCE)
  attributes.writeResource(N.resource, RESOURCE.list(fields.attributes), members, () => {
    members.text(N.schemaUrl, holder, TRACES.resource.fields.schemaUrl)
    members.count(N.dropped, RESOURCE, fields.droppedAttributesCount)
  })
}

function writeScope(holder: MessageFields, members: Members, attributes: Attributes): void {
  const { fields } = Scope
  const at = holder.at(FIRST)
  if (at === ABSENT) SCOPE.clear()
  else members.find(at, SCOPE)
  members.object(N.scope, () => {
    members.text(N.name, SCOPE, fields.name)
    members.text(N.version, SCOPE, fields.version)
    members.text(N.schemaUrl, holder, TRACES.scope.fields.schemaUrl)
    attributes.write(N.attributes, SCOPE.list(fields.attributes), members)
    members.count(N.dropped, SCOPE, fields.droppedAttributesCount)
  })
}
