/**
 * The five endpoints of monitors: from requests to the rules and back. Paths and members are those of the hosted service's
 * monitors of type `Threshold`; what is not among them here is ignored, as it is everywhere.
 */

import { ANNOTATION_TYPE_PATTERN, TITLE_POINTS_MAX, TYPE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  MONITOR_DESCRIPTION_POINTS_MAX,
  MONITOR_ID_PATTERN,
  MONITOR_MINUTES_MAX,
  MONITOR_NAME_POINTS_MAX,
  MONITOR_OPERATORS,
  MONITOR_QUERY_POINTS_MAX,
  MONITOR_STATUSES,
  MONITOR_TYPE,
  MONITORS_PATH,
  type Monitor,
  type MonitorChange,
  type NewMonitor,
} from '@deployment-annotations/contract/monitor'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tidyBody } from '../annotations/members.ts'
import type { Monitors } from '../automations/monitors/monitors.ts'
import { invalid } from '../errors.ts'
import { errorAnswers } from '../http/schemas.ts'
import type { StoredMonitor, StoredMonitorState } from '../store/monitor-store.ts'

const ONE = `${MONITORS_PATH}/:id`
const TAGS = ['monitors']

export function addMonitorRoutes(app: FastifyInstance, monitors: Monitors): void {
  app.addSchema(MONITOR_SCHEMA)
  const tidy = async (request: FastifyRequest) => {
    if (request.body === undefined) throw invalid(VALIDATION_CODES.required, 'the body is required')
    request.body = tidyBody(request.body)
  }

  app.post<{ Body: NewMonitor }>(MONITORS_PATH, {
    config: { permission: 'monitors|create' },
    schema: {
      operationId: 'createMonitor',
      summary: 'Create a monitor',
      description: 'A member that is null counts as not sent; other members are ignored. The first run is at once.',
      tags: TAGS,
      body: { type: 'object', required: REQUIRED, properties: MEMBERS },
      response: { 201: answer('The monitor with its id.'), ...errorAnswers(400, 401, 403, 413, 415, 422, 507) },
    },
    preValidation: tidy,
    handler: async (request, reply) =>
      reply.status(201).send(toWire(await monitors.create(request.body, request.token?.id ?? ''))),
  })

  app.get(MONITORS_PATH, {
    config: { permission: 'monitors|read' },
    schema: {
      operationId: 'listMonitors',
      summary: 'List monitors',
      tags: TAGS,
      response: {
        200: {
          description: 'All monitors, the oldest first.',
          content: { 'application/json': { schema: { type: 'array', items: { $ref: 'Monitor#' } } } },
        },
        ...errorAnswers(401, 403),
      },
    },
    handler: async () => monitors.list().map(toWire),
  })

  app.get<{ Params: { id: string } }>(ONE, {
    config: { permission: 'monitors|read' },
    schema: {
      operationId: 'getMonitor',
      summary: 'Get a monitor',
      tags: TAGS,
      params: PARAMS,
      response: { 200: answer('The monitor.'), ...errorAnswers(400, 401, 403, 404) },
    },
    handler: async (request) => toWire(monitors.get(request.params.id)),
  })

  app.put<{ Params: { id: string }; Body: MonitorChange }>(ONE, {
    config: { permission: 'monitors|update' },
    schema: {
      operationId: 'changeMonitor',
      summary: 'Change a monitor',
      description: 'Members that are not sent keep their values. An empty description or annotationTitle unsets it.',
      tags: TAGS,
      params: PARAMS,
      body: { type: 'object', properties: MEMBERS },
      response: { 200: answer('The monitor after the change.'), ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507) },
    },
    preValidation: tidy,
    handler: async (request) => toWire(await monitors.change(request.params.id, request.body)),
  })

  app.delete<{ Params: { id: string } }>(ONE, {
    config: { permission: 'monitors|delete' },
    schema: {
      operationId: 'deleteMonitor',
      summary: 'Delete a monitor',
      description: 'A span that it has open ends now; its annotations stay.',
      tags: TAGS,
      params: PARAMS,
      response: { 204: { description: 'It is gone.', type: 'null' }, ...errorAnswers(400, 401, 403, 404, 507) },
    },
    handler: async (request, reply) => {
      await monitors.remove(request.params.id)
      return reply.status(204).send()
    },
  })
}

const timeOf = (ms: number) => formatTimestamp(BigInt(ms) * 1_000_000n)

function toWire({ id, createdAtMs, createdBy, definition, state }: StoredMonitor): Monitor {
  return { id, type: MONITOR_TYPE, ...definition, createdAt: timeOf(createdAtMs), createdBy, state: showState(state) }
}

function showState({ status, sinceMs, lastRunMs, nextRunMs, lastValue, error, annotationId }: StoredMonitorState) {
  return {
    status,
    since: timeOf(sinceMs),
    ...(lastRunMs !== undefined && { lastRun: timeOf(lastRunMs) }),
    ...(status !== 'disabled' && { nextRun: timeOf(nextRunMs) }),
    ...(lastValue !== undefined && { lastValue }),
    ...(error !== undefined && { error }),
    ...(annotationId !== undefined && { annotationId }),
  }
}

const ID = { type: 'string', description: 'Assigned by the service.', pattern: MONITOR_ID_PATTERN.source } as const
const PARAMS = { type: 'object', required: ['id'], properties: { id: ID } } as const
const TIME = { type: 'string', format: 'date-time' } as const
const MINUTES = { type: 'integer', minimum: 1, maximum: MONITOR_MINUTES_MAX } as const

const REQUIRED = ['name', 'aplQuery', 'operator', 'threshold', 'intervalMinutes', 'rangeMinutes'] as const

const MEMBERS = {
  type: { type: 'string', enum: [MONITOR_TYPE], description: 'The one kind there is; may be left out.' },
  name: { type: 'string', minLength: 1, maxLength: MONITOR_NAME_POINTS_MAX },
  description: { type: 'string', maxLength: MONITOR_DESCRIPTION_POINTS_MAX },
  aplQuery: {
    type: 'string',
    minLength: 1,
    maxLength: MONITOR_QUERY_POINTS_MAX,
    examples: ["['web'] | where status >= 500 | summarize count()"],
  },
  operator: { type: 'string', enum: [...MONITOR_OPERATORS], description: 'How a value compares with the threshold to trigger.' },
  threshold: { type: 'number' },
  intervalMinutes: { ...MINUTES, description: 'How often it runs.' },
  rangeMinutes: { ...MINUTES, description: 'How far a run looks back.' },
  alertOnNoData: { type: 'boolean', description: 'Triggers, too, where there is nothing to compare. By default false.' },
  datasets: {
    type: 'array',
    description: 'On whose charts its annotations appear; by default the datasets that the query reads.',
    minItems: 1,
    items: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9-]*$' },
  },
  annotationType: {
    type: 'string',
    minLength: 1,
    maxLength: TYPE_POINTS_MAX,
    pattern: ANNOTATION_TYPE_PATTERN.source,
    description: '`type` of its annotations; by default `monitor`.',
  },
  annotationTitle: {
    type: 'string',
    maxLength: TITLE_POINTS_MAX,
    description: "`title` of its annotations; by default the monitor's name.",
  },
  disabled: { type: 'boolean', description: 'Does not run. By default false.' },
} as const

const MONITOR_SCHEMA = {
  $id: 'Monitor',
  title: 'Monitor',
  description: 'A query that runs at an interval, and marks the time during which its value is beyond a threshold.',
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'type',
    ...REQUIRED,
    'alertOnNoData',
    'datasets',
    'annotationType',
    'disabled',
    'createdAt',
    'createdBy',
    'state',
  ],
  properties: {
    id: ID,
    ...MEMBERS,
    createdAt: TIME,
    createdBy: { type: 'string', description: 'Id of the token.' },
    state: {
      type: 'object',
      additionalProperties: false,
      required: ['status', 'since'],
      properties: {
        status: { type: 'string', enum: [...MONITOR_STATUSES] },
        since: { ...TIME, description: 'Since when it has this status.' },
        lastRun: { ...TIME, description: 'End of the range that the last run looked at.' },
        nextRun: { ...TIME, description: 'Absent while it is disabled.' },
        lastValue: { type: 'number', description: 'What the last run compared; absent where it failed or found nothing.' },
        error: { type: 'string', description: 'Why the last run failed.' },
        annotationId: { type: 'string', description: 'The annotation whose span is open.' },
      },
    },
  },
} as const

function answer(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: 'Monitor#' } } } }
}
