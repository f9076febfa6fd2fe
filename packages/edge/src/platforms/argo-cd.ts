/**
 * Argo CD: the webhook of its notifications, whose body is a template that has the application whole:
 * `{"app": {{toJson .app}}, "url": "…"}`. https://argo-cd.readthedocs.io/en/stable/operator-manual/notifications/services/webhook/, read
 * 2026-11. A sync is a deployment.
 */
import { presetPlatform } from './preset.ts'
import { AUTHORIZATION } from './signature.ts'

const REVISION =
  'status.operationState.syncResult.revision|status.operationState.syncResult.revisions[0]|status.operationState.operation.sync.revision|status.sync.revision'

export const argoCd = presetPlatform({
  proofs: [AUTHORIZATION],
  envelope: 'app',
  otherwise: 'no sync that began or ended',
  kinds: [
    {
      when: '{status.operationState.phase}',
      deployment: '{metadata.namespace}/{metadata.name}/{status.operationState.startedAt}',
      // `Terminating` is left out: `Failed` follows.
      state: '{status.operationState.phase}',
      start: '{status.operationState.startedAt}',
      time: '{status.operationState.finishedAt}',
      failure: '{status.operationState.message}',
      project: '{metadata.name}',
      environment: '{metadata.labels.environment|metadata.labels.env|spec.destination.namespace}',
      alias: '{spec.destination.name}',
      version: `{status.summary.images[0]~version|${REVISION}}`,
      branch: '{spec.source.targetRevision}',
      commit: `{${REVISION}}`,
      by: "{status.operationState.operation.initiatedBy.username|'Argo CD'}",
      url: '{url|status.summary.externalURLs[0]}',
    },
  ],
})
