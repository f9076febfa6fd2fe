/**
 * Bitbucket Cloud, which sends no events of deployments: build statuses whose key is `deploy-<environment>`, which a pipeline sets around
 * its deployment. https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/, read 2026-11.
 */
import { presetPlatform } from './preset.ts'
import { signedBody } from './signature.ts'

const ENVIRONMENT = "{commit_status.key~'deploy-(*)'|commit_status.key~'deployment-(*)'}"
const COMMIT = "commit_status.commit.hash|commit_status.links.commit.href~'*/(*)'"

export const bitbucket = presetPlatform({
  proofs: [signedBody('X-Hub-Signature')],
  otherwise: 'not a build status of a deployment, whose key is deploy- and an environment',
  kinds: [
    {
      when: `{header.x-event-key~'repo:commit_status_*'}${ENVIRONMENT}`,
      // Each status of a commit has one creation; when it is set again for another run, Bitbucket keeps that.
      deployment: `{repository.full_name}/{${COMMIT}}/{commit_status.key}/{commit_status.created_on}`,
      state: '{commit_status.state}',
      start: '{commit_status.created_on}',
      time: '{commit_status.updated_on|commit_status.created_on}',
      failure: '{commit_status.description}',
      project: '{repository.full_name}',
      environment: ENVIRONMENT,
      version: `{commit_status.refname~version|${COMMIT}}`,
      branch: '{commit_status.refname}',
      commit: `{${COMMIT}}`,
      by: '{actor.nickname|actor.display_name}',
      change: '{commit_status.name}',
      url: '{commit_status.url}',
    },
  ],
})
