/**
 * The operations that hosting platforms call, as Fastify and the document take them. The platform's own file checks the body.
 */
import { PLATFORMS, type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import {
  GenericDeploymentSchema,
  PlatformDeploymentSchema,
  WebhookParams,
  WebhookResultSchema,
} from '@deployment-annotations/contract/schemas/integration'
import type { TSchema } from 'typebox'
import { answer, documented, errorAnswer, errorAnswers } from '../../http/schemas.ts'

const RESPONSE = {
  200: answer('What became of the annotation.', WebhookResultSchema),
  ...errorAnswers(400, 401, 413, 415, 422, 507),
  401: errorAnswer('Not signed, or not with the secret of an integration of this platform.'),
  415: errorAnswer('The body is compressed.'),
}

function receive(platform: PlatformName) {
  const body: TSchema = platform === 'generic' ? GenericDeploymentSchema : PlatformDeploymentSchema
  const { label } = platformRow(platform)
  const title = platform === 'generic' ? 'Generic' : label.replaceAll(' ', '')
  const all = {
    operationId: `receive${title}Deployment`,
    summary: `Receive a deployment webhook: ${label}`,
    description:
      'Creates the annotation of the deployment: a point while it is under way, a span once it has ended. Events may come twice and in any order. Authenticated by its signature or the secret of the integration, not by a token.',
    tags: ['integrations'],
    body: documented(body),
    response: RESPONSE,
  }
  const operationId = `receive${title}DeploymentOfIntegration`
  const summary = `${all.summary}, for one integration`
  return { all, one: { ...all, operationId, summary, params: WebhookParams } }
}

export const RECEIVE = Object.fromEntries(PLATFORMS.map((platform) => [platform, receive(platform)])) as Readonly<
  Record<PlatformName, ReturnType<typeof receive>>
>
