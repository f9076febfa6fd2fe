/**
 * Writes the verdict to GitHub: one comment on the pull request that was deployed, which later runs of the same job update, and the
 * status of the deployment. A bundle of its own, because the client of the repository's API takes longer to load than the whole step
 * takes without it.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { GitHub, getOctokitOptions } from '@actions/github/lib/utils'
import { withoutLogin } from '@deployment-annotations/contract/address'
import { explainRefusal } from './github-refusal.ts'

export interface GithubReport {
  token: string
  /** Takes it out of a text. */
  redact: (text: string) => string
  /** Markdown. */
  text: string
  /** The verdict in a few words. */
  headline: string
  isBad: boolean
  /** The id of GitHub's deployment; '' if there is none. */
  deploymentId: string
  env: NodeJS.ProcessEnv
  tell: (message: string) => void
}

/** How long the job waits for GitHub, in milliseconds, including rate limits. */
const MS_MAX = 30_000
const TRIES_MAX = 3
/** GitHub takes 65,536 characters. */
const LENGTH_MAX = 60_000
const DESCRIPTION_LENGTH_MAX = 140

type Octokit = InstanceType<typeof GitHub>

interface Place {
  owner: string
  repo: string
  request: { signal: AbortSignal }
}

/** @returns the problems as sentences; empty if there were none */
export async function reportToGithub(report: GithubReport): Promise<string[]> {
  const [owner = '', repo = ''] = (report.env.GITHUB_REPOSITORY ?? '').split('/')
  const octokit = new GitHub({ ...getOctokitOptions(report.token), log: QUIET })
  const place: Place = { owner, repo, request: { signal: AbortSignal.timeout(MS_MAX) } }
  const problems: string[] = []
  const attempt = async (what: string, permission: string, act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      const remedy = `Give "githubToken" a token that may do it: \`permissions: ${permission}\` in the job`
      problems.push(`${what}: GitHub was asked, and ${explainRefusal(error, { redact: report.redact, msMax: MS_MAX, remedy })}.`)
    }
  }
  await attempt('The pull request got no comment', 'pull-requests: write', () => comment(octokit, place, report))
  if (report.deploymentId !== '') {
    await attempt('The deployment got no status', 'deployments: write', () => setStatus(octokit, place, report))
  }
  return problems
}

const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

async function comment(octokit: Octokit, place: Place, report: GithubReport): Promise<void> {
  const issue_number = await findPullRequest(octokit, place, report.env)
  if (issue_number === undefined) return report.tell('No pull request has the commit that was deployed, so none gets a comment.')
  const marker = markerOf(report.env)
  // Text from data must not mention people, and must not look like the marker of another job.
  const text = report.text.replaceAll('<!--', '<! --').replace(/@(?=[\w-])/g, '@\u200b')
  const body = `${marker}\n${text}`.slice(0, LENGTH_MAX)
  const { issues } = octokit.rest
  const list = async () => {
    const all = await patient(() => octokit.paginate(issues.listComments, { ...place, issue_number, per_page: 100 }))
    return all.filter((one) => one.body?.startsWith(marker)).sort((a, b) => a.id - b.id)
  }
  let found = await list()
  if (found.length === 0) {
    await patient(() => issues.createComment({ ...place, issue_number, body }))
    // Two runs at once may both have found no comment. The first of the comments stays.
    found = await list()
  }
  const [first, ...others] = found
  if (first && first.body !== body) await patient(() => issues.updateComment({ ...place, comment_id: first.id, body }))
  for (const { id } of others) {
    await patient(() => issues.deleteComment({ ...place, comment_id: id })).catch((error: unknown) => {
      // The other run has deleted it.
      if ((error as { status?: number }).status !== 404) throw error
    })
  }
}

/** @returns an invisible marker, the same for each run of this step of the job */
function markerOf({ GITHUB_WORKFLOW = '', GITHUB_JOB = '', GITHUB_ACTION = '' }: NodeJS.ProcessEnv): string {
  const key = [GITHUB_WORKFLOW, GITHUB_JOB, GITHUB_ACTION].map((part) => encodeURIComponent(part).replaceAll('--', '-%2D'))
  return `<!-- deployment-annotations compare ${key.join('/')} -->`
}

/** Finds the pull request of the event, or otherwise the one that brought the commit. */
async function findPullRequest(octokit: Octokit, place: Place, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const [, number] = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '') ?? []
  if (number !== undefined) return Number(number)
  const commit_sha = env.GITHUB_SHA ?? ''
  const { repos } = octokit.rest
  const { data } = await patient(() => repos.listPullRequestsAssociatedWithCommit({ ...place, commit_sha }))
  const brought = data.find((one) => one.merge_commit_sha === commit_sha) ?? data.find((one) => one.merged_at)
  return (brought ?? data[0])?.number
}

/** Adds a status unless the last one is the same. */
async function setStatus(octokit: Octokit, place: Place, report: GithubReport): Promise<void> {
  const deployment_id = Number(report.deploymentId)
  const state = report.isBad ? 'failure' : 'success'
  const description = report.headline.slice(0, DESCRIPTION_LENGTH_MAX)
  const { repos } = octokit.rest
  const { data } = await patient(() => repos.listDeploymentStatuses({ ...place, deployment_id, per_page: 1 }))
  if (data[0]?.state === state && data[0].description === description) return
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '', GITHUB_RUN_ID: run = '' } = report.env
  const log_url = `${withoutLogin(server)}/${repository}/actions/runs/${run}`
  const auto_inactive = false
  await patient(() => repos.createDeploymentStatus({ ...place, deployment_id, state, description, log_url, auto_inactive }))
}

interface Refusal {
  status?: number
  response?: { headers?: Record<string, string | undefined> }
}

/** Repeats a request after a rate limit, after the time that GitHub states. */
async function patient<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      const { status = 0, response } = error as Refusal
      const headers = response?.headers ?? {}
      const isLimit =
        status === 429 || (status === 403 && (headers['retry-after'] ?? headers['x-ratelimit-remaining']) !== undefined)
      const isPassing =
        status >= 500 || (isLimit && (status === 429 || 'retry-after' in headers || headers['x-ratelimit-remaining'] === '0'))
      const waitMs = Number(headers['retry-after'] ?? 1) * 1_000
      if (!isPassing || tries === TRIES_MAX || waitMs > MS_MAX / 2) throw error
      await sleep(waitMs)
    }
  }
}
