/**
 * CDEvents (https://cdevents.dev, specification 0.4 and 0.5, read 2026-11) in CloudEvents over HTTP: structured, binary and in batches.
 * What becomes of a service, of an environment and of an incident is marked.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { DeploymentFacts, DeploymentState, WebhookContent } from './deployment-event.ts'
import { decodeUtf8, joinId, memberAt, packageVersion, parseJson, textOf, timeOf, urlOf } from './payload.ts'
import { headerOf, type Platform, type WebhookRequest } from './platform.ts'
import { AUTHORIZATION, signedBody } from './signature.ts'

interface Meaning extends Pick<DeploymentFacts, 'kind' | 'action'> {
  state: DeploymentState
}

/** What an event says; a service's own is the version of the deployment. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  'service.deployed': { state: 'succeeded' },
  'service.upgraded': { state: 'succeeded', action: 'upgraded' },
  'service.rolledback': { state: 'succeeded', action: 'rolled back' },
  'service.removed': { state: 'succeeded', action: 'removed' },
  'service.published': { state: 'succeeded', action: 'published' },
  'environment.created': { state: 'succeeded', kind: 'environment', action: 'created' },
  'environment.modified': { state: 'succeeded', kind: 'environment', action: 'modified' },
  'environment.deleted': { state: 'succeeded', kind: 'environment', action: 'deleted' },
  'incident.detected': { state: 'started', kind: 'incident' },
  'incident.reported': { state: 'started', kind: 'incident' },
  'incident.resolved': { state: 'succeeded', kind: 'incident', action: 'resolved' },
}
const EVENT_TYPE = /^dev\.cdevents\.(?<meaning>[a-z]+\.[a-z]+)\.\d/
const EVENTS_MAX = 1_000

export const cdevents: Platform = {
  proofs: [AUTHORIZATION, signedBody('X-Signature-256')],

  read(request) {
    const payload = parseJson(decodeUtf8(request.body))
    if (!Array.isArray(payload)) return readEvent(isBinary(request) ? payload : dataOf(payload))
    if (payload.length > EVENTS_MAX) throw new ServiceError('malformed', `a batch has at most ${EVENTS_MAX} CloudEvents`)
    return payload.map((event) => readEvent(dataOf(event)))
  },
}

const isBinary = (request: WebhookRequest) => headerOf(request, 'ce-specversion') !== ''

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

function readEvent(event: unknown): WebhookContent {
  const [context, subject] = [memberAt(event, 'context'), memberAt(event, 'subject')]
  const of = (...path: string[]) => memberAt(subject, 'content', ...path)
  const name = EVENT_TYPE.exec(String(memberAt(context, 'type')))?.groups?.meaning ?? ''
  const found = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined
  if (!found) return { ignored: 'not a CDEvent about a service, an environment or an incident' }
  const { state, ...meaning } = found
  const atNs = timeOf(memberAt(context, 'timestamp'))
  const [id, subjectId] = [textOf(memberAt(context, 'id')), textOf(memberAt(subject, 'id'))]
  if (id === undefined || subjectId === undefined || atNs === undefined) return { ignored: 'the CDEvent has no id or no time' }
  const source = textOf(memberAt(subject, 'source'), memberAt(context, 'source')) ?? ''
  const isOfEnvironment = meaning.kind === 'environment'
  const environment = textOf(
    ...(isOfEnvironment ? [of('name'), subjectId] : [of('environment', 'name'), of('environment', 'id')]),
  )
  return {
    event: {
      // An incident is one from its beginning to its end; what becomes of a service is told by one event.
      deployment: meaning.kind === 'incident' ? joinId('incident', source, subjectId) : joinId(source, id),
      state,
      atNs,
      facts: {
        ...meaning,
        ...(meaning.kind === 'incident' && { title: textOf(of('description')) }),
        project: isOfEnvironment ? undefined : textOf(meaning.kind && of('service', 'id'), subjectId),
        environment,
        version: packageVersion(of('artifactId')),
        url: urlOf(of('url'), of('environment', 'url'), memberAt(event, 'customData', 'url')),
      },
      environments: [environment ?? '', textOf(of('environment', 'id')) ?? ''],
    },
  }
}
