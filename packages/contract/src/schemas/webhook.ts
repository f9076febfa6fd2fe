/**
 * The shapes of deployment webhooks as schemas. Bodies are for the document: the platform's own file reads them, and the bytes
 * are what is signed.
 */

import { DEPLOYMENT_STATUSES, WEBHOOK_OUTCOMES } from '../rules/webhook.ts'
import { OneOf, StorableTime } from './parts.ts'
import Type from './type.ts'

export const WebhookResultSchema = Type.Object({
  outcome: OneOf(WEBHOOK_OUTCOMES, { description: 'What became of the annotation; a repeat is `unchanged`.' }),
  annotation: Type.Optional(Type.String({ description: 'Id of the annotation.' })),
  reason: Type.Optional(Type.String({ description: 'Why the request was ignored.' })),
})

export const GenericDeploymentSchema = Type.Object({
  deployment: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    description: 'Id of the deployment: the same in each of its events.',
  }),
  status: OneOf(DEPLOYMENT_STATUSES),
  time: StorableTime('When that happened.'),
  project: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  branch: Type.Optional(Type.String()),
  commit: Type.Optional(Type.String()),
  by: Type.Optional(Type.String({ description: 'Who deployed.' })),
  url: Type.Optional(Type.String({ description: 'Where to read more; http or https.' })),
  description: Type.Optional(Type.String({ description: 'What is deployed, or how it ended.' })),
})

/** Platforms describe theirs themselves. */
export const PlatformDeploymentSchema = Type.Object({}, { additionalProperties: true })
