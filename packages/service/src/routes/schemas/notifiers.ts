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
import Type from '@deployment-annotations/contract/schemas/type'
import { operationsOn } from '../../http/operations.ts'
import { answer, errorAnswers, secretAnswer } from '../../http/schemas.ts'

const on = operationsOn({ permissions: 'notifiers', tags: ['notifiers'], params: NotifierParams, schema: NotifierSchema })

export const NAMED = [NotifierSchema]

export const CREATE = on.all('create', {
  operationId: 'createNotifier',
  summary: 'Create a notifier',
  description: 'Monitors tell it where they name it in `notifierIds`, and verdicts and failures where `events` says so.',
  body: NewNotifierSchema,
  response: {
    201: secretAnswer('The notifier, with the secret that signs its webhooks: it is shown only this once.', MadeNotifierSchema),
    ...errorAnswers(400, 401, 403, 413, 415, 422, 507),
  },
})

export const LIST = on.list({
  operationId: 'listNotifiers',
  summary: 'List notifiers',
  answer: 'All of them, the oldest first, without their secrets.',
})

export const GET = on.get({
  operationId: 'getNotifier',
  summary: 'Get a notifier',
  description: 'Its properties are whole for the token that sent them.',
  answer: 'The notifier.',
})

export const CHANGE = on.change({
  operationId: 'changeNotifier',
  summary: 'Change a notifier',
  description: 'Members that are not sent keep their values.',
  body: NotifierChangeSchema,
  answer: 'The notifier after the change.',
})

export const DELETE = on.remove({
  operationId: 'deleteNotifier',
  summary: 'Delete a notifier',
  description: 'Its messages that wait are not delivered any more, and no monitor names it.',
})

export const DELIVERIES = on.read({
  operationId: 'listNotifierDeliveries',
  summary: 'The last messages of a notifier, and what became of them',
  answer: 'The newest 50, the newest first.',
  of: Type.Array(DeliveryStateSchema),
})

export const TEST = on.one('update', {
  operationId: 'testNotifier',
  summary: 'Send a message that says that it is a test',
  description: 'It is tried once, also in quiet hours; the answer waits for that.',
  response: { 200: answer('The message, and what became of it.', DeliveryStateSchema), ...errorAnswers(400, 401, 403, 404, 507) },
})

export const REGENERATE = on.one('update', {
  operationId: 'regenerateNotifierSecret',
  summary: 'Sign the webhooks of a notifier with another secret',
  description: 'It takes the place of the one that is there at once.',
  response: {
    200: secretAnswer('The notifier, with its secret: it is shown only this once.', MadeNotifierSchema),
    ...errorAnswers(400, 401, 403, 404, 422, 507),
  },
})
