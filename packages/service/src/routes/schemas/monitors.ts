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
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import { answer, emptyAnswer, errorAnswers } from '../../http/schemas.ts'

const tags = ['monitors']
const params = MonitorParams
const monitor = (description: string) => answer(description, refTo(MonitorSchema))

export const NAMED = [MonitorSchema]

export const CREATE = {
  operationId: 'createMonitor',
  summary: 'Create a monitor',
  description:
    'A member that is null counts as not sent; members that are not listed are refused. The monitor first runs at once.',
  tags,
  body: NewMonitorSchema,
  response: { 201: monitor('The monitor with its id.'), ...errorAnswers(400, 401, 403, 413, 415, 422, 507) },
}

export const LIST = {
  operationId: 'listMonitors',
  summary: 'List monitors',
  tags,
  response: { 200: answer('All monitors, the oldest first.', Type.Array(refTo(MonitorSchema))), ...errorAnswers(401, 403) },
}

export const GET = {
  operationId: 'getMonitor',
  summary: 'Get a monitor',
  tags,
  params,
  response: { 200: monitor('The monitor.'), ...errorAnswers(400, 401, 403, 404) },
}

export const HISTORY = {
  operationId: 'getMonitorHistory',
  summary: 'When a monitor triggered and recovered',
  description: 'The newest 1,000 are kept.',
  tags,
  params,
  querystring: HistoryQuery,
  response: {
    200: answer('The changes of state, the oldest first.', Type.Array(AlertSchema)),
    ...errorAnswers(400, 401, 403, 404, 422),
  },
}

export const CHANGE = {
  operationId: 'changeMonitor',
  summary: 'Change a monitor',
  description:
    'Members that are not sent keep their values. An empty description or annotationTitle unsets it. With `type`, what is sent is the whole monitor: the hosted members that are left out get their defaults.',
  tags,
  params,
  body: MonitorChangeSchema,
  response: { 200: monitor('The monitor after the change.'), ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507) },
}

export const DELETE = {
  operationId: 'deleteMonitor',
  summary: 'Delete a monitor',
  description: 'Its span, if one is open, ends now; its annotations stay.',
  tags,
  params,
  response: { 204: emptyAnswer('It was deleted.'), ...errorAnswers(400, 401, 403, 404, 507) },
}
