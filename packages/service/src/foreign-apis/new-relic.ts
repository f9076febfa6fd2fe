/**
 * New Relic's change tracking: NerdGraph's `changeTrackingCreateDeployment` and `changeTrackingCreateEvent`, whose input is in variables
 * or in the text, and the deployments of REST API 2. https://docs.newrelic.com/docs/change-tracking/, read 2026-11.
 * The GUID of the entity, the id of the application or the group is a dataset, where one is called so.
 */
import { createHash } from 'node:crypto'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { AnnotationChange } from '@deployment-annotations/contract/schemas/annotation'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import { numberOf } from '../ids.ts'
import {
  type AnnotationApi,
  type ApiRequest,
  belongsTo,
  lineOf,
  millisOf,
  placeOf,
  type RequestKind,
  textsOf,
  timeOf,
  typeOf,
} from './annotation-api.ts'
import { readArguments } from './graphql-arguments.ts'

const MUTATION = /\b(changeTrackingCreateDeployment|changeTrackingCreateEvent)\b/
const DEPLOYMENTS = ['/v2/applications/:application/deployments.json', '/v2/applications/:application/deployments']

export const newRelic: AnnotationApi = {
  tokenHeader: 'api-key',
  operations: [
    {
      method: 'POST',
      path: '/graphql',
      does: 'create',
      read: readMutation,
      key: ({ body }) => keyOf(inputOf(body).input),
      answer: toGraph,
    },
  ],
}

export const newRelicRest: AnnotationApi = {
  tokenHeader: 'x-api-key',
  operations: DEPLOYMENTS.map(
    (path): RequestKind => ({
      method: 'POST',
      path,
      does: 'create',
      status: 201,
      read: (request) => readDeployment(memberOf(request.body, 'deployment'), request, request.params.application),
      key: ({ body }) => keyOf(memberOf(body, 'deployment')),
      answer: ([made], { body }) => ({
        deployment: {
          ...memberOf(body, 'deployment'),
          ...(made && { id: numberOf(made.id), timestamp: formatTimestamp(made.timeNs) }),
        },
      }),
    }),
  ),
}

type Members = Readonly<Record<string, unknown>>

const memberOf = (value: unknown, name: string): Members => {
  const member = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Members)[name] : undefined
  return typeof member === 'object' && member !== null && !Array.isArray(member) ? (member as Members) : {}
}

/** @throws ServiceError `invalid` for another query */
function inputOf({ query, variables }: Members): { name: string; input: Members } {
  const text = typeof query === 'string' ? query : ''
  const name = MUTATION.exec(text.slice(text.indexOf('{') + 1))?.[1]
  if (name === undefined) {
    throw invalid(
      VALIDATION_CODES.pattern,
      `query must be the mutation changeTrackingCreateDeployment or changeTrackingCreateEvent, got ${showValue(query)}`,
    )
  }
  const given = readArguments(text, name, typeof variables === 'object' && variables !== null ? (variables as Members) : {})
  return { name, input: memberOf(given, name === 'changeTrackingCreateEvent' ? 'changeTrackingEvent' : 'deployment') }
}

function readMutation(request: ApiRequest): AnnotationChange {
  const { name, input } = inputOf(request.body)
  if (name === 'changeTrackingCreateDeployment') return readDeployment(input, request)
  const deployment = memberOf(memberOf(input, 'categoryFields'), 'deployment')
  const kind = memberOf(input, 'categoryAndTypeData')
  const { category, type } = memberOf(kind, 'kind')
  const guid = /\bid\s*=\s*'([^']+)'/.exec(lineOf(memberOf(input, 'entitySearch').query))?.[1]
  const isDeployment = lineOf(category) === '' || /deploy/i.test(lineOf(category))
  const merged = { ...input, ...deployment, ...memberOf(memberOf(kind, 'categoryFields'), 'deployment'), entityGuid: guid }
  return {
    ...readDeployment({ ...merged, title: lineOf(input.shortDescription) }, request),
    type: isDeployment ? 'deploy' : typeOf(type || category, 'event'),
  }
}

function readDeployment(input: Members, request: ApiRequest, application?: string): AnnotationChange {
  const version = lineOf(input.version ?? input.revision)
  const title = lineOf(input.title) || [application ?? lineOf(input.groupId), version].filter(Boolean).join(' ')
  if (title === '') throw invalid(VALIDATION_CODES.required, 'version is required')
  const said = [input.description, input.changelog, input.user && `By ${lineOf(input.user)}`].map((text) =>
    typeof text === 'string' ? text.trim() : '',
  )
  const time = timeOf('timestamp', input.timestamp)
  return {
    ...textsOf({ title, description: [...new Set(said.filter(Boolean))].join('\n\n'), url: input.deepLink }),
    ...belongsTo({ version }),
    ...(time !== undefined && { time }),
    datasets: placeOf(
      [input.entityGuid, application, input.groupId],
      request,
      'call a dataset like the entity, the application or the group',
    ),
    type: 'deploy',
  }
}

/** Without a time, a second deployment like the first may be meant. */
function keyOf(input: Members): string | undefined {
  return input.timestamp ? createHash('sha256').update(JSON.stringify(input)).digest('hex') : undefined
}

function toGraph([made]: readonly StoredAnnotation[], { body }: ApiRequest) {
  const { name, input } = inputOf(body)
  if (!made) return { data: null }
  const shown = { ...input, timestamp: millisOf(made.timeNs) }
  const event = { changeTrackingId: made.id, ...shown }
  return {
    data: {
      [name]:
        name === 'changeTrackingCreateEvent' ? { changeTrackingEvent: event, messages: [] } : { ...shown, deploymentId: made.id },
    },
  }
}
