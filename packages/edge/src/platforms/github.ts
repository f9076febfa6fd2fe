/**
 * GitHub: `deployment` and `deployment_status` events, as JSON or as the form that GitHub's settings offer first.
 * https://docs.github.com/webhooks/webhook-events-and-payloads#deployment_status, read 2026-11; its recorded payloads are in
 * the package @octokit/webhooks-examples, with which this is tested.
 */
import type { BodyKind } from './mapping.ts'
import { presetPlatform } from './preset.ts'
import { signedBody } from './signature.ts'

const EVENT = "{header.x-github-event~'deployment'|header.x-github-event~'deployment_status'}"
const DEPLOYMENT: BodyKind = {
  when: `${EVENT}{deployment.id}{deployment_status.created_at|deployment.created_at}`,
  deployment: '{deployment.id}',
  state: "{deployment_status.state|'queued'}",
  unknownState: 'an unknown state',
  time: '{deployment_status.created_at|deployment.created_at}',
  queued: '{deployment.created_at}',
  sequence: '{deployment_status.id}',
  failure: '{deployment_status.description}',
  project: '{repository.full_name}',
  environment: '{deployment.environment}',
  alias: '',
  version: '{deployment.ref~version|deployment.sha}',
  branch: '{deployment.ref}',
  commit: '{deployment.sha}',
  by: '{deployment.creator.login}',
  change: '{workflow_run.head_commit.message}',
  url: '{deployment_status.log_url|deployment_status.target_url|workflow_run.html_url|deployment_status.environment_url}',
}

export const github = presetPlatform({
  proofs: [signedBody('X-Hub-Signature-256')],
  otherwise: 'not a deployment event',
  kinds: [
    { when: "{header.x-github-event~'ping'}", ignored: 'a ping: the webhook works' },
    {
      // It says nothing of this deployment's end.
      when: `${EVENT}{deployment_status.state~'inactive'}`,
      ignored: 'it became inactive: another deployment has taken its place',
    },
    { ...DEPLOYMENT, when: `${DEPLOYMENT.when}{deployment.production_environment~'true'}`, alias: 'production' },
    DEPLOYMENT,
    { when: EVENT, ignored: 'the payload names no deployment with a time' },
  ],
})
