/**
 * The page of a job on GitHub and the servers that run its workflows.
 */
import { withoutLogin } from '@deployment-annotations/contract/address'

/**
 * @param checkRunId the job's id, '' if it is not known
 * @returns the job itself, or the attempt of the run where the id of the job is not known; `undefined` outside of CI, and where the server
 * has no URL: the command `exec` of Gitea's and Forgejo's runners, which no server started, gives `https://` and nothing (Gitea runner
 * 3.1.0, November 2026)
 */
export function buildJobUrl(env: Readonly<Record<string, string | undefined>>, checkRunId = ''): string | undefined {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: runId } = env
  if (!repository || !runId || !URL.canParse(server)) return undefined
  const runs = `${withoutLogin(server).replace(/(?<!\/)\/+$/, '')}/${repository}/actions/runs`
  // Forgejo's pages count the runs of a repository; Gitea's go by id since 1.26. Neither has GitHub's pages below a run.
  if (env.FORGEJO_ACTIONS === 'true') return `${runs}/${env.GITHUB_RUN_NUMBER}`
  if (env.GITEA_ACTIONS === 'true') return `${runs}/${runId}`
  if (/^\d+$/.test(checkRunId)) return `${runs}/${runId}/job/${checkRunId}`
  return `${runs}/${runId}/attempts/${env.GITHUB_RUN_ATTEMPT || 1}`
}
