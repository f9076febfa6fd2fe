/**
 * Argo CD: the webhook of its notifications, whose body is a template that has the application whole:
 * `{"app": {{toJson .app}}, "url": "…"}`. https://argo-cd.readthedocs.io/en/stable/operator-manual/notifications/services/webhook/, read
 * 2026-11. A sync is a deployment.
 */
import type { DeploymentState } from './deployment-event.ts'
import { decodeUtf8, imageVersion, joinId, memberAt, parseJson, shortCommit, textOf, timeOf, urlOf } from './payload.ts'
import type { Platform } from './platform.ts'
import { AUTHORIZATION } from './signature.ts'

/** `Terminating` is left out: `Failed` follows. */
const STATES: Readonly<Record<string, DeploymentState>> = {
  Running: 'started',
  Succeeded: 'succeeded',
  Failed: 'failed',
  Error: 'failed',
}

export const argoCd: Platform = {
  proofs: [AUTHORIZATION],

  read({ body }) {
    const payload = parseJson(decodeUtf8(body))
    const app = memberAt(payload, 'app') ?? payload
    const of = (...path: string[]) => memberAt(app, ...path)
    const operation = (...path: string[]) => of('status', 'operationState', ...path)
    const phase = String(operation('phase'))
    const state = Object.hasOwn(STATES, phase) ? STATES[phase] : undefined
    if (!state) return { ignored: 'no sync that began or ended' }
    const startedNs = timeOf(operation('startedAt'))
    const atNs = state === 'started' ? startedNs : (timeOf(operation('finishedAt')) ?? startedNs)
    const name = textOf(of('metadata', 'name'))
    if (name === undefined || startedNs === undefined || atNs === undefined) {
      return { ignored: 'the payload names no application whose sync has a time' }
    }
    const revision = textOf(
      operation('syncResult', 'revision'),
      operation('syncResult', 'revisions', '0'),
      operation('operation', 'sync', 'revision'),
      of('status', 'sync', 'revision'),
    )
    const labels = (label: string) => textOf(of('metadata', 'labels', label))
    const environment = labels('environment') ?? labels('env') ?? textOf(of('spec', 'destination', 'namespace'))
    return {
      event: {
        deployment: joinId(textOf(of('metadata', 'namespace')) ?? '', name, String(operation('startedAt'))),
        state,
        atNs,
        startedNs,
        ...(state === 'failed' && { message: textOf(operation('message')) ?? '' }),
        facts: {
          project: name,
          environment,
          version: imageVersion(of('status', 'summary', 'images', '0')) ?? shortCommit(revision),
          branch: textOf(of('spec', 'source', 'targetRevision')),
          commit: shortCommit(revision),
          by: textOf(operation('operation', 'initiatedBy', 'username')) ?? 'Argo CD',
          url: urlOf(memberAt(payload, 'url'), of('status', 'summary', 'externalURLs', '0')),
        },
        environments: [environment ?? '', textOf(of('spec', 'destination', 'name')) ?? ''],
      },
    }
  },
}
