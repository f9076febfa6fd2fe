/**
 * What CI says about the job that runs the step: the URL that people should land on, and what is deployed.
 */
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { cutText } from '@deployment-annotations/contract/text'
import { buildJobUrl } from '@deployment-annotations/inputs/job-url'
import { describeSource } from '@deployment-annotations/inputs/source'
import { readContext } from './toolkit.ts'

/**
 * @param checkRunId the job's id, '' if the server does not provide it
 * @returns the URL of the job, or `undefined` outside of CI
 */
export async function readJobUrl(env: NodeJS.ProcessEnv, checkRunId: string): Promise<string | undefined> {
  if (!env.GITHUB_REPOSITORY || !env.GITHUB_RUN_ID) return undefined
  const { serverUrl, repo, runId, runNumber, runAttempt } = await readContext()
  return buildJobUrl({ serverUrl, repository: `${repo.owner}/${repo.repo}`, runId, runNumber, runAttempt }, checkRunId, env)
}

/** @returns the title where nobody gave one, as the command makes it; `undefined` outside of CI */
export function readTitle(env: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_REPOSITORY: repository, GITHUB_SHA: commit, GITHUB_REF: ref = '' } = env
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? []
  const title = describeSource({ repository, commit, ...(kind && { [kind === 'tags' ? 'tag' : 'branch']: name }) })
  return title && cutText(title, TITLE_POINTS_MAX)
}
