/**
 * GitHub: `deployment` and `deployment_status` events, as JSON or as the form that GitHub's settings offer first.
 * https://docs.github.com/webhooks/webhook-events-and-payloads#deployment_status, read 2026-11; its recorded payloads are in
 * the package @octokit/webhooks-examples, with which this is tested.
 */
import type { WebhookContent } from './deployment-event.ts'
import { stateOf } from './mapping.ts'
import { decodeUtf8, firstLine, idOf, memberAt, parseJson, shortCommit, textOf, timeOf, urlOf, versionOf } from './payload.ts'
import { headerOf, type Platform, type WebhookRequest } from './platform.ts'
import { signedBody } from './signature.ts'

export const github: Platform = {
  proofs: [signedBody('X-Hub-Signature-256')],

  read(request) {
    const kind = headerOf(request, 'x-github-event')
    const payload = readPayload(request)
    if (kind === 'ping') return { ignored: 'a ping: the webhook works' }
    if (kind !== 'deployment' && kind !== 'deployment_status') return { ignored: 'not a deployment event' }
    return readDeployment(payload)
  },
}

function readPayload(request: WebhookRequest): unknown {
  const text = decodeUtf8(request.body)
  const isForm = headerOf(request, 'content-type').startsWith('application/x-www-form-urlencoded')
  return parseJson(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text)
}

function readDeployment(payload: unknown): WebhookContent {
  const [deployment, status] = [memberAt(payload, 'deployment'), memberAt(payload, 'deployment_status')]
  const id = idOf(memberAt(deployment, 'id'))
  const queuedNs = timeOf(memberAt(deployment, 'created_at'))
  const atNs = status === undefined ? queuedNs : timeOf(memberAt(status, 'created_at'))
  if (id === undefined || atNs === undefined) return { ignored: 'the payload names no deployment with a time' }
  const name = status === undefined ? 'queued' : memberAt(status, 'state')
  // A newer deployment has taken its place, which says nothing of this one's end.
  if (name === 'inactive') return { ignored: 'it became inactive: another deployment has taken its place' }
  const state = stateOf(name)
  if (!state) return { ignored: 'an unknown state' }

  const sequence = memberAt(status, 'id')
  const environment = textOf(memberAt(deployment, 'environment'))
  const ref = textOf(memberAt(deployment, 'ref'))
  const commit = shortCommit(textOf(memberAt(deployment, 'sha')))
  return {
    event: {
      deployment: id,
      state,
      atNs,
      sequence: Number.isSafeInteger(sequence) ? (sequence as number) : undefined,
      queuedNs,
      message: state === 'failed' ? textOf(memberAt(status, 'description')) : undefined,
      facts: {
        project: textOf(memberAt(payload, 'repository', 'full_name')),
        environment,
        version: versionOf(ref) ?? commit,
        branch: ref,
        commit,
        by: textOf(memberAt(deployment, 'creator', 'login')),
        change: firstLine(memberAt(payload, 'workflow_run', 'head_commit', 'message')),
        url: urlOf(
          memberAt(status, 'log_url'),
          memberAt(status, 'target_url'),
          memberAt(payload, 'workflow_run', 'html_url'),
          memberAt(status, 'environment_url'),
        ),
      },
      environments: [environment ?? '', memberAt(deployment, 'production_environment') === true ? 'production' : ''],
    },
  }
}
