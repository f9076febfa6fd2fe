/**
 * The page of a job on GitHub and the servers that run its workflows.
 */

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
 * @param checkRunId the job's id, '' if it is not known
 * @returns the job itself, or the attempt of the run where the id of the job is not known; `undefined` where the server has no URL: the
 * command `exec` of Gitea's and Forgejo's runners, which no server started, gives `https://` and nothing (Gitea runner 3.1.0, November 2026)
 */
export function buildJobUrl(run: Run, checkRunId: string, env: NodeJS.ProcessEnv): string | undefined {
  if (!URL.canParse(run.serverUrl)) return undefined
  const runs = `${run.serverUrl.replace(/\/+$/, '')}/${run.repository}/actions/runs`
  // Forgejo's pages count the runs of a repository; Gitea's go by id since 1.26. Neither has GitHub's pages below a run.
  if (env.FORGEJO_ACTIONS === 'true') return `${runs}/${run.runNumber}`
  if (env.GITEA_ACTIONS === 'true') return `${runs}/${run.runId}`
  if (/^\d+$/.test(checkRunId)) return `${runs}/${run.runId}/job/${checkRunId}`
  return `${runs}/${run.runId}/attempts/${run.runAttempt || 1}`
}
