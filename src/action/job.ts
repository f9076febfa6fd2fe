/**
 * What CI tells about the job that runs the step: the URL that people should land on.
 */
import { Context } from './toolkit.ts'

/** What the URL is made of; a number is NaN where CI did not tell. */
export interface Run {
  serverUrl: string
  /** `owner/name` */
  repository: string
  runId: number
  runNumber: number
  runAttempt: number
}

/** @returns the run, or `undefined` where this is no CI, or its event file cannot be read */
export function readRun(env: NodeJS.ProcessEnv): Run | undefined {
  if (!env.GITHUB_REPOSITORY || !env.GITHUB_RUN_ID) return undefined
  try {
    const { serverUrl, repo, runId, runNumber, runAttempt } = new Context()
    return { serverUrl: serverUrl.replace(/\/+$/, ''), repository: `${repo.owner}/${repo.repo}`, runId, runNumber, runAttempt }
  } catch {
    return undefined
  }
}

/**
 * @param checkRunId the job's id, '' where the server does not tell it
 * @returns the URL of the job, or where its id is not known of this attempt of the run
 */
export function buildJobUrl(run: Run, checkRunId: string, env: NodeJS.ProcessEnv): string | undefined {
  const runs = `${run.serverUrl}/${run.repository}/actions/runs`
  // Forgejo's pages count the runs of a repository; Gitea's go by id since 1.26. Neither has GitHub's pages below a run.
  if (env.FORGEJO_ACTIONS === 'true') return `${runs}/${run.runNumber}`
  if (env.GITEA_ACTIONS === 'true') return `${runs}/${run.runId}`
  if (/^\d+$/.test(checkRunId)) return `${runs}/${run.runId}/job/${checkRunId}`
  return `${runs}/${run.runId}/attempts/${run.runAttempt || 1}`
}
