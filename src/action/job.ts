/**
 * What CI says about the job that runs the step: the URL that people should land on.
 */
import { buildJobUrl } from '@deployment-annotations/inputs/job-url'
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
