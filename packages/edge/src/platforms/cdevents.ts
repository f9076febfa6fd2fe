/**
 * CDEvents (https://cdevents.dev, specification 0.4 and 0.5, read 2026-11) in CloudEvents over HTTP: structured, binary and in batches.
 * Events of a service, of an environment and of an incident become annotations.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { type BodyKind, readerOf } from './mapping.ts'
import { memberAt, parsePayload } from './payload.ts'
import { headerOf, type Platform } from './platform.ts'
import { AUTHORIZATION, signedBody } from './signature.ts'

const EVENT = {
  deployment: '{subject.source|context.source}/{context.id}',
  time: '{context.timestamp}',
  environment: '{subject.content.environment.name|subject.content.environment.id}',
  alias: '{subject.content.environment.id}',
  version: '{subject.content.artifactId~version|subject.content.artifactId}',
  url: '{subject.content.url|subject.content.environment.url|customData.url}',
}
const KINDS: readonly BodyKind[] = [
  {
    ...EVENT,
    when: "{context.type~'dev.cdevents.service.*'}",
    state: "{context.type~'dev.cdevents.service.(*).*.*.*'}",
    actions: { upgraded: 'upgraded', rolledback: 'rolled back', removed: 'removed', published: 'published' },
    project: '{subject.id}',
  },
  {
    ...EVENT,
    when: "{context.type~'dev.cdevents.environment.*'}",
    kind: 'environment',
    state: "{context.type~'dev.cdevents.environment.(*).*.*.*'}",
    actions: { created: 'created', modified: 'modified', deleted: 'deleted' },
    environment: '{subject.content.name|subject.id}',
  },
  {
    ...EVENT,
    when: "{context.type~'dev.cdevents.incident.*'}",
    kind: 'incident',
    // An incident is one from its beginning to its end.
    deployment: 'incident/{subject.source|context.source}/{subject.id}',
    state: "{context.type~'dev.cdevents.incident.(*).*.*.*'}",
    states: { detected: 'started', reported: 'started' },
    actions: { resolved: 'resolved' },
    title: '{subject.content.description}',
    project: '{subject.content.service.id|subject.id}',
  },
]
const EVENTS_MAX = 1_000

const readEvent = readerOf(KINDS, 'not a CDEvent about a service, an environment or an incident')

export const cdevents: Platform = {
  proofs: [AUTHORIZATION, signedBody('X-Signature-256')],

  read(request, { nowMs }) {
    const payload = parsePayload(request.body)
    const read = (body: unknown) => readEvent({ header: request.headers, body }, nowMs)
    if (!Array.isArray(payload)) return read(headerOf(request, 'ce-specversion') === '' ? dataOf(payload) : payload)
    if (payload.length > EVENTS_MAX) throw new ServiceError('malformed', `a batch has at most ${EVENTS_MAX} CloudEvents`)
    return payload.map((event) => read(dataOf(event)))
  },
}

/**
 * @returns what is in the envelope; without one, a CDEvent was sent as it is. What cannot be read is no CDEvent, and takes away none of
 * those beside it.
 */
function dataOf(event: unknown): unknown {
  const [encoded, data = event] = [memberAt(event, 'data_base64'), memberAt(event, 'data')]
  const text = typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString() : data
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
