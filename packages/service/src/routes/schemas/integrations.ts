/**
 * The operations of integrations, as Fastify and the document take them.
 */
import {
  DeliverySchema,
  IntegrationChangeSchema,
  IntegrationParams,
  IntegrationPreviewSchema,
  IntegrationRegenerationSchema,
  IntegrationSchema,
  MadeIntegrationSchema,
  NewIntegrationSchema,
  PreviewResultSchema,
} from '@deployment-annotations/contract/schemas/integration'
import Type from '@deployment-annotations/contract/schemas/type'
import { operationsOn } from '../../http/operations.ts'
import { answer, errorAnswer, errorAnswers, secretAnswer } from '../../http/schemas.ts'

const on = operationsOn({
  permissions: 'integrations',
  tags: ['integrations'],
  params: IntegrationParams,
  schema: IntegrationSchema,
})
const MADE = secretAnswer(
  'The integration, with its secret where that was made here: it is shown only this once.',
  MadeIntegrationSchema,
)
const TAKEN = errorAnswer('Another integration of the platform has this secret.')

export const NAMED = [IntegrationSchema]

export const CREATE = on.all('create', {
  operationId: 'createIntegration',
  summary: 'Create an integration',
  description: 'The platform then sends its webhooks to `/v1/integrations/{platform}/{id}`, signed with the secret.',
  body: NewIntegrationSchema,
  response: { 201: MADE, ...errorAnswers(400, 401, 403, 413, 415, 422, 507), 409: TAKEN },
})

export const LIST = on.list({
  operationId: 'listIntegrations',
  summary: 'List integrations',
  answer: 'All of them, the oldest first, without their secrets.',
})

export const GET = on.get({
  operationId: 'getIntegration',
  summary: 'Get an integration',
  answer: 'The integration, without its secret.',
})

export const DELIVERIES = on.read({
  operationId: 'listDeliveries',
  summary: 'The last webhooks of an integration, and what became of them',
  description: 'Those that its secret had signed; the newest 20 are kept.',
  answer: 'The newest first.',
  of: Type.Array(DeliverySchema),
})

export const PREVIEW = on.all('read', {
  operationId: 'previewIntegration',
  summary: 'Try a body that a platform would send',
  description: 'Says how it would be read and shown. No annotation is created, and nothing is kept.',
  body: IntegrationPreviewSchema,
  response: {
    200: answer('The annotations that it would create.', PreviewResultSchema),
    ...errorAnswers(400, 401, 403, 413, 415, 422),
  },
})

export const CHANGE = on.change({
  operationId: 'changeIntegration',
  summary: 'Change an integration',
  description: 'Members that are not sent keep their values. They apply to the annotations that it creates from then on.',
  body: IntegrationChangeSchema,
  answer: 'The integration after the change.',
})

export const REGENERATE = on.one('update', {
  operationId: 'regenerateIntegrationSecret',
  summary: 'Give an integration another secret',
  description: 'It takes the place of the one that is there at once: what is signed with that is refused from then on.',
  body: IntegrationRegenerationSchema,
  response: { 200: MADE, ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507), 409: TAKEN },
})

export const DELETE = on.remove({
  operationId: 'deleteIntegration',
  summary: 'Delete an integration',
  description: 'Its webhooks are refused from the next request on; the annotations that it made stay.',
})
