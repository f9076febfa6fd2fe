/**
 * GitLab: its deployment and release events. https://docs.gitlab.com/user/project/integrations/webhook_events/, read 2026-11. They are
 * signed by Standard Webhooks (signing token), or have the secret token as it is.
 */
import type { WebhookContent } from './deployment-event.ts'
import { stateOf } from './mapping.ts'
import { decodeUtf8, firstLine, idOf, memberAt, parseJson, shortCommit, textOf, timeOf, urlOf, versionOf } from './payload.ts'
import type { Platform } from './platform.ts'
import { STANDARD_WEBHOOKS, secretHeader } from './signature.ts'

export const gitlab: Platform = {
  proofs: [STANDARD_WEBHOOKS, secretHeader('X-Gitlab-Token')],

  read({ body }) {
    const payload = parseJson(decodeUtf8(body))
    const kind = memberAt(payload, 'object_kind')
    if (kind === 'deployment') return readDeployment(payload)
    if (kind === 'release') return readRelease(payload)
    return { ignored: kind === 'pipeline' ? 'a pipeline, whose deployments have events of their own' : 'not a deployment event' }
  },
}

function readDeployment(payload: unknown): WebhookContent {
  const of = (...path: string[]) => memberAt(payload, ...path)
  const state = stateOf(of('status'), { blocked: 'queued' })
  const id = idOf(of('deployment_id'))
  const atNs = timeOf(of('status_changed_at'))
  if (!state) return { ignored: 'a deployment in an unknown state' }
  if (id === undefined || atNs === undefined) return { ignored: 'the payload names no deployment with a time' }
  const environment = textOf(of('environment'))
  const tier = textOf(of('environment_tier'))
  const ref = textOf(of('ref'))
  const commit = shortCommit(textOf(of('short_sha'), textOf(of('commit_url'))?.split('/').at(-1)))
  return {
    event: {
      deployment: id,
      state,
      atNs,
      facts: {
        project: textOf(of('project', 'path_with_namespace'), of('project', 'name')),
        environment,
        version: versionOf(ref) ?? commit,
        branch: ref,
        commit,
        by: textOf(of('user', 'username'), of('user', 'name')),
        change: firstLine(of('commit_title')),
        url: urlOf(of('deployable_url'), of('project', 'web_url')),
      },
      environments: [environment ?? '', tier ?? ''],
    },
  }
}

function readRelease(payload: unknown): WebhookContent {
  const of = (...path: string[]) => memberAt(payload, ...path)
  if (of('action') !== 'create') return { ignored: 'a release that was changed or deleted' }
  const id = idOf(of('id'))
  const atNs = timeOf(of('released_at'), of('created_at'))
  if (id === undefined || atNs === undefined) return { ignored: 'the payload names no release with a time' }
  return {
    event: {
      deployment: `release/${id}`,
      state: 'succeeded',
      atNs,
      facts: {
        kind: 'release',
        action: 'released',
        project: textOf(of('project', 'path_with_namespace'), of('project', 'name')),
        version: textOf(of('tag'), of('name')),
        commit: shortCommit(textOf(of('commit', 'id'))),
        by: textOf(of('commit', 'author', 'name')),
        change: firstLine(textOf(of('name'))),
        url: urlOf(of('url')),
      },
      environments: [],
    },
  }
}
