/**
 * Azure DevOps: service hooks of releases (deployment started and completed) and of stages of pipelines in YAML.
 * https://learn.microsoft.com/azure/devops/service-hooks/events, read 2026-11.
 */
import type { DeploymentState, WebhookContent } from './deployment-event.ts'
import { decodeUtf8, idOf, joinId, memberAt, parseJson, textOf, timeOf, urlOf } from './payload.ts'
import type { Platform } from './platform.ts'
import { AUTHORIZATION } from './signature.ts'

const ENDS: Readonly<Record<string, DeploymentState>> = {
  succeeded: 'succeeded',
  partiallysucceeded: 'failed',
  failed: 'failed',
  rejected: 'failed',
  canceled: 'canceled',
  skipped: 'canceled',
}

export const azureDevOps: Platform = {
  proofs: [AUTHORIZATION],

  read({ body }) {
    const payload = parseJson(decodeUtf8(body))
    switch (memberAt(payload, 'eventType')) {
      case 'ms.vss-release.deployment-started-event':
        return readRelease(payload, 'started')
      case 'ms.vss-release.deployment-completed-event':
        return readRelease(payload, endOf(memberAt(payload, 'resource', 'environment', 'status')))
      case 'ms.vss-pipelines.stage-state-changed-event':
        return readStage(payload)
      default:
        return { ignored: 'not about the start or end of a deployment' }
    }
  },
}

function endOf(status: unknown): DeploymentState | undefined {
  const name = String(status).toLowerCase()
  return Object.hasOwn(ENDS, name) ? ENDS[name] : undefined
}

function readRelease(payload: unknown, state: DeploymentState | undefined): WebhookContent {
  const of = (...path: string[]) => memberAt(payload, 'resource', ...path)
  const atNs = timeOf(memberAt(payload, 'createdDate'))
  const id = idOf(of('environment', 'id'))
  // The documented example of a completed deployment has a `releaseId` of 0 beside the release that it is of.
  const release = idOf(of('release', 'id') ?? of('environment', 'release', 'id') ?? of('environment', 'releaseId'))
  if (!state) return { ignored: 'a deployment in an unknown state' }
  if (id === undefined || atNs === undefined) return { ignored: 'the payload names no deployment with a time' }
  const environment = textOf(of('environment', 'name'))
  const person = (who: string) => textOf(of(...who.split('.'), 'displayName'))
  return {
    event: {
      deployment: joinId(release ?? '', id),
      state,
      atNs,
      facts: {
        project: textOf(of('project', 'name'), of('release', 'releaseDefinition', 'name')),
        environment,
        version: textOf(of('release', 'name'), of('environment', 'release', 'name')),
        by: person('deployment.requestedFor') ?? person('release.createdBy') ?? person('environment.owner'),
        url: urlOf(of('release', '_links', 'web', 'href'), of('environment', 'release', '_links', 'web', 'href')),
      },
      environments: [environment ?? ''],
    },
  }
}

function readStage(payload: unknown): WebhookContent {
  const of = (...path: string[]) => memberAt(payload, 'resource', ...path)
  const stateName = String(of('stage', 'state')).toLowerCase()
  const state = stateName === 'running' ? 'started' : stateName === 'completed' ? endOf(of('stage', 'result')) : undefined
  const atNs = timeOf(memberAt(payload, 'createdDate'))
  const [run, stage] = [idOf(of('run', 'id')), idOf(of('stage', 'id') ?? of('stage', 'name'))]
  if (!state) return { ignored: 'neither the start nor the end of a stage' }
  if (run === undefined || stage === undefined || atNs === undefined) return { ignored: 'the payload names no stage with a time' }
  const environment = textOf(of('stage', 'displayName'), of('stage', 'name'))
  return {
    event: {
      deployment: joinId('run', run, stage),
      state,
      atNs,
      facts: {
        project: textOf(of('pipeline', 'name'), of('run', 'pipeline', 'name')),
        environment,
        version: textOf(of('run', 'name')),
        url: urlOf(of('stage', '_links', 'web', 'href'), of('run', '_links', 'web', 'href')),
      },
      environments: [environment ?? '', textOf(of('stage', 'name')) ?? ''],
    },
  }
}
