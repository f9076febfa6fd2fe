/**
 * GitLab: its deployment and release events. https://docs.gitlab.com/user/project/integrations/webhook_events/, read 2026-11. They are
 * signed by Standard Webhooks (signing token), or have the secret token as it is.
 */
import { presetPlatform } from './preset.ts'
import { STANDARD_WEBHOOKS, secretHeader } from './signature.ts'

const PROJECT = '{project.path_with_namespace|project.name}'
const COMMIT = "short_sha|commit_url~'*/(*)'"

export const gitlab = presetPlatform({
  proofs: [STANDARD_WEBHOOKS, secretHeader('X-Gitlab-Token')],
  otherwise: 'not a deployment event',
  kinds: [
    {
      when: "{object_kind~'deployment'}{deployment_id}{status_changed_at}",
      deployment: '{deployment_id}',
      state: '{status}',
      states: { blocked: 'queued' },
      unknownState: 'a deployment in an unknown state',
      time: '{status_changed_at}',
      project: PROJECT,
      environment: '{environment}',
      alias: '{environment_tier}',
      version: `{ref~version|${COMMIT}}`,
      branch: '{ref}',
      commit: `{${COMMIT}}`,
      by: '{user.username|user.name}',
      change: '{commit_title}',
      url: '{deployable_url|project.web_url}',
    },
    {
      when: "{object_kind~'release'}{id}{released_at|created_at}",
      kind: 'release',
      deployment: 'release/{id}',
      state: '{action}',
      actions: { create: 'released' },
      unknownState: 'a release that was changed or deleted',
      time: '{released_at|created_at}',
      project: PROJECT,
      version: '{tag|name}',
      commit: '{commit.id}',
      by: '{commit.author.name}',
      change: '{name}',
      url: '{url}',
    },
    { when: "{object_kind~'deployment'|object_kind~'release'}", ignored: 'the payload has no id, or no time' },
    { when: "{object_kind~'pipeline'}", ignored: 'a pipeline, whose deployments have events of their own' },
  ],
})
