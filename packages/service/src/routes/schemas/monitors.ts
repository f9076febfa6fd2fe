/**
 * The operations of monitors, as Fastify and the document take them.
 */
import {
  AlertSchema,
  HistoryQuery,
  MonitorChangeSchema,
  MonitorParams,
  MonitorSchema,
  NewMonitorSchema,
} from '@deployment-annotations/contract/schemas/monitor'
import Type from '@deployment-annotations/contract/schemas/type'
import { operationsOn } from '../../http/operations.ts'
import { answer, errorAnswers } from '../../http/schemas.ts'

const on = operationsOn({ permissions: 'monitors', tags: ['monitors'], params: MonitorParams, schema: MonitorSchema })

export const NAMED = [MonitorSchema]

export const CREATE = on.create({
  operationId: 'createMonitor',
  summary: 'Create a monitor',
  description:
    'A member that is null counts as not sent; members that are not listed are refused. The monitor first runs at once.',
  body: NewMonitorSchema,
  answer: 'The monitor with its id.',
})

export const LIST = on.list({
  operationId: 'listMonitors',
  summary: 'List monitors',
  answer: 'All monitors, the oldest first.',
})

export const GET = on.get({ operationId: 'getMonitor', summary: 'Get a monitor', answer: 'The monitor.' })

export const HISTORY = on.one('read', {
  operationId: 'getMonitorHistory',
  summary: 'When a monitor triggered and recovered',
  description: 'The newest 1,000 are kept.',
  querystring: HistoryQuery,
  response: {
    200: answer('The changes of state, the oldest first.', Type.Array(AlertSchema)),
    ...errorAnswers(400, 401, 403, 404, 422),
  },
})

export const CHANGE = on.change({
  operationId: 'changeMonitor',
  summary: 'Change a monitor',
  description:
    'Members that are not sent keep their values. An empty description or annotationTitle unsets it. With `type`, what is sent is the whole monitor: the hosted members that are left out get their defaults.',
  body: MonitorChangeSchema,
  answer: 'The monitor after the change.',
})

export const DELETE = on.remove({
  operationId: 'deleteMonitor',
  summary: 'Delete a monitor',
  description: 'Its span, if one is open, ends now; its annotations stay.',
})
