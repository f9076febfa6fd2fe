/**
 * Jenkins: its Notification plugin, https://plugins.jenkins.io/notification/, read 2026-11. A build that ended has a duration, or else
 * ends when the first word of its end arrives.
 */
import { presetPlatform } from './preset.ts'
import { AUTHORIZATION } from './signature.ts'

export const jenkins = presetPlatform({
  proofs: [AUTHORIZATION],
  otherwise: 'neither the start nor the end of a build',
  kinds: [
    {
      when: '{build.phase}',
      deployment: '{url|name}/{build.number}',
      state: "{build.status|build.phase~'QUEUED'|build.phase~'STARTED'}",
      states: { NOT_BUILT: 'canceled' },
      start: '{build.timestamp}',
      time: '{build.timestamp+build.duration}',
      failure: "{build.status~'UNSTABLE'}",
      project: '{name}',
      environment:
        '{build.parameters.ENVIRONMENT|build.parameters.environment|build.parameters.DEPLOY_ENV|build.parameters.deploy_env|build.parameters.TARGET_ENV|build.parameters.target_env}',
      version: '{build.parameters.VERSION|build.parameters.version|build.parameters.TAG|build.parameters.tag|build.scm.commit}',
      versionElse: '#{build.number}',
      branch: '{build.scm.branch}',
      commit: '{build.scm.commit}',
      change: '{build.scm.changes[0]}',
      url: '{build.full_url}',
    },
  ],
})
