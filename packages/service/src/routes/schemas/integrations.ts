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
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import { answer, emptyAnswer, errorAnswer, errorAnswers } from '../../http/schemas.ts'

const tags = ['integrations']
const params = IntegrationParams
const integration = (description: string) => answer(description, refTo(IntegrationSchema))
const made = (description: string) => ({
  ...answer(description, MadeIntegrationSchema),
  headers: { 'cache-control': { type: 'string', description: '`no-store`' } },
})
const TAKEN = errorAnswer('Another integration of the platform has this secret.')

export const NAMED = [IntegrationSchema]

export const CREATE = {
  operationId: 'createIntegration',
  summary: 'Create an integration',
  description: 'The platform then sends its webhooks to `/v1/integrations/{platform}/{id}`, signed with the secret.',
  tags,
  body: NewIntegrationSchema,
  response: {
    201: made('The integration, with its secret where that was made here: it is shown only this once.'),
    ...errorAnswers(400, 401, 403, 413, 415, 422, 507),
    409: TAKEN,
  },
}

export const LIST = {
  operationId: 'listIntegrations',
  summary: 'List integrations',
  tags,
  response: {
    200: answer('All of them, the oldest first, without their secrets.', Type.Array(refTo(IntegrationSchema))),
    ...errorAnswers(401, 403),
  },
}

export const GET = {
  operationId: 'getIntegration',
  summary: 'Get an integration',
  tags,
  params,
  response: { 200: integration('The integration, without its secret.'), ...errorAnswers(400, 401, 403, 404) },
}

export const DELIVERIES = {
  operationId: 'listDeliveries',
  summary: 'The last webhooks of an integration, and what became of them',
  description: 'Those that its secret had signed; the newest 20 are kept.',
  tags,
  params,
  response: { 200: answer('The newest first.', Type.Array(DeliverySchema)), ...errorAnswers(400, 401, 403, 404) },
}

export const PREVIEW = {
  operationId: 'previewIntegration',
  summary: 'Try a body that a platform would send',
  description: 'Says how it would be read and shown. Nothing is marked, and nothing is kept.',
  tags,
  body: IntegrationPreviewSchema,
  response: { 200: answer('What would be marked.', PreviewResultSchema), ...errorAnswers(400, 401, 403, 413, 415, 422) },
}

export const CHANGE = {
  operationId: 'changeIntegration',
  summary: 'Change an integration',
  description: 'Members that are not sent keep their values. What it marks from then on is as it says now.',
  tags,
  params,
  body: IntegrationChangeSchema,
  response: { 200: integration('The integration after the change.'), ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507) },
}

export const REGENERATE = {
  operationId: 'regenerateIntegrationSecret',
  summary: 'Give an integration another secret',
  description: 'It takes the place of the one that is there at once: what is signed with that is refused from then on.',
  tags,
  params,
  body: IntegrationRegenerationSchema,
  response: {
    200: made('The integration, with its secret where that was made here: it is shown only this once.'),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507),
    409: TAKEN,
  },
}

export const DELETE = {
  operationId: 'deleteIntegration',
  summary: 'Delete an integration',
  description: 'Its webhooks are refused from the next request on; the annotations that it made stay.',
  tags,
  params,
  response: { 204: emptyAnswer('It was deleted.'), ...errorAnswers(400, 401, 403, 404, 507) },
}
