/**
 * What CI says about the job that runs the step: the URL that people should land on.
 */
import { readContext } from './toolkit.ts'

/** What the URL is made of; a number is NaN if CI did not provide it. */
interface Run {
  serverUrl: string
  /** `owner/name` */
  repository: string
  runId: number
  runNumber: number
  runAttempt: number
}

/**
 * @param checkRunId the job's id, '' if the server does not provide it
 * @returns the URL of the job, or `undefined` outside of CI
 */
export async function readJobUrl(env: NodeJS.ProcessEnv, checkRunId: string): Promise<string | undefined> {
  if (!env.GITHUB_REPOSITORY || !env.GITHUB_RUN_ID) return undefined
  const { serverUrl, repo, runId, runNumber, runAttempt } = await readContext()
  const repository = `${repo.owner}/${repo.repo}`
  return buildJobUrl({ serverUrl: serverUrl.replace(/\/+$/, ''), repository, runId, runNumber, runAttempt }, checkRunId, env)
}

/** The job itself, or the attempt of the run where the id of the job is not known. */
function buildJobUrl(run: Run, checkRunId: string, env: NodeJS.ProcessEnv): string {
  const runs = `${run.serverUrl}/${run.repository}/actions/runs`
  // Forgejo's pages count the runs of a repository; Gitea's go by id since 1.26. Neither has GitHub's pages below a run.
  if (env.FORGEJO_ACTIONS === 'true') return `${runs}/${run.runNumber}`
  if (env.GITEA_ACTIONS === 'true') return `${runs}/${run.runId}`
  if (/^\d+$/.test(checkRunId)) return `${runs}/${run.runId}/job/${checkRunId}`
  return `${runs}/${run.runId}/attempts/${run.runAttempt || 1}`
}
