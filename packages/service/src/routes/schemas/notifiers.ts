/**
 * The operations of notifiers, as Fastify and the document take them.
 */
import {
  DeliveryStateSchema,
  MadeNotifierSchema,
  NewNotifierSchema,
  NotifierChangeSchema,
  NotifierParams,
  NotifierSchema,
} from '@deployment-annotations/contract/schemas/notifier'
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import { answer, emptyAnswer, errorAnswers } from '../../http/schemas.ts'

const tags = ['notifiers']
const params = NotifierParams
const notifier = (description: string) => answer(description, refTo(NotifierSchema))
const made = (description: string) => ({
  ...answer(description, MadeNotifierSchema),
  headers: { 'cache-control': { type: 'string', description: '`no-store`' } },
})

export const NAMED = [NotifierSchema]

export const CREATE = {
  operationId: 'createNotifier',
  summary: 'Create a notifier',
  description: 'Monitors tell it where they name it in `notifierIds`, and verdicts and failures where `events` says so.',
  tags,
  body: NewNotifierSchema,
  response: {
    201: made('The notifier, with the secret that signs its webhooks: it is shown only this once.'),
    ...errorAnswers(400, 401, 403, 413, 415, 422, 507),
  },
}

export const LIST = {
  operationId: 'listNotifiers',
  summary: 'List notifiers',
  tags,
  response: {
    200: answer('All of them, the oldest first, without their secrets.', Type.Array(refTo(NotifierSchema))),
    ...errorAnswers(401, 403),
  },
}

export const GET = {
  operationId: 'getNotifier',
  summary: 'Get a notifier',
  description: 'Its properties are whole for the token that sent them.',
  tags,
  params,
  response: { 200: notifier('The notifier.'), ...errorAnswers(400, 401, 403, 404) },
}

export const CHANGE = {
  operationId: 'changeNotifier',
  summary: 'Change a notifier',
  description: 'Members that are not sent keep their values.',
  tags,
  params,
  body: NotifierChangeSchema,
  response: { 200: notifier('The notifier after the change.'), ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507) },
}

export const DELETE = {
  operationId: 'deleteNotifier',
  summary: 'Delete a notifier',
  description: 'Its messages that wait are not delivered any more, and no monitor names it.',
  tags,
  params,
  response: { 204: emptyAnswer('It was deleted.'), ...errorAnswers(400, 401, 403, 404, 507) },
}

export const DELIVERIES = {
  operationId: 'listNotifierDeliveries',
  summary: 'The last messages of a notifier, and what became of them',
  tags,
  params,
  response: {
    200: answer('The newest 50, the newest first.', Type.Array(DeliveryStateSchema)),
    ...errorAnswers(400, 401, 403, 404),
  },
}

export const TEST = {
  operationId: 'testNotifier',
  summary: 'Send a message that says that it is a test',
  description: 'It is tried once, also in quiet hours; the answer waits for that.',
  tags,
  params,
  response: { 200: answer('The message, and what became of it.', DeliveryStateSchema), ...errorAnswers(400, 401, 403, 404, 507) },
}

export const REGENERATE = {
  operationId: 'regenerateNotifierSecret',
  summary: 'Sign the webhooks of a notifier with another secret',
  description: 'It takes the place of the one that is there at once.',
  tags,
  params,
  response: {
    200: made('The notifier, with its secret: it is shown only this once.'),
    ...errorAnswers(400, 401, 403, 404, 422, 507),
  },
}
