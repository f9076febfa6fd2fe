/**
 * What this deployment ships, for the description of its annotation: the commits since the one that the last annotation of its type says was
 * deployed. A failure here is a notice; the annotation is created without the commits.
 * A bundle of its own, because the client of the repository's API takes longer to load than the whole step takes without; the step
 * `compare` finds that client in it.
 */

import { GitHub, getOctokitOptions } from '@actions/github/lib/utils'
import type { AnnotationsClient } from '@deployment-annotations/client/annotations'
import { withoutLogin } from '@deployment-annotations/contract/address'
import type { NewMark } from '@deployment-annotations/inputs/mark'
import type { Source } from '@deployment-annotations/inputs/source'
import { toLog } from '@deployment-annotations/inputs/text'
import { addShipped, type Comparison, describeCommit, describeShipped, findDeployed } from './describe-shipped.ts'
import { explainRefusal } from './github-refusal.ts'

export { GitHub, getOctokitOptions }

interface Caller {
  githubToken: string
  /** Takes the token out of a text. */
  redact: (text: string) => string
  annotations: AnnotationsClient
  source: Source
  /** The time of the annotation. */
  now: string
  notice: (message: string) => void
}

/** How long a deployment waits for the commits, in milliseconds. */
const ASKING_MS_MAX = 10_000
/** Older annotations, in days, are not searched. */
const DAYS_MAX = 90
/** The maximum that one page of the repository's API has. Its answer also counts all commits. */
const COMMITS_MAX = 100
const REMEDY =
  'Give "githubToken" a token that may read the repository: `permissions: contents: read` in the job. ' +
  'A commit that a force push has removed cannot be compared'

/** @returns the description, with what was shipped if that is known */
export async function describeWithShipped(mark: NewMark, caller: Caller): Promise<string | undefined> {
  const { repository, commit } = caller.source
  const { GITHUB_SERVER_URL: server = '' } = process.env
  if (!repository || !commit) return mark.description
  const deployed = { repositoryUrl: `${withoutLogin(server).replace(/(?<!\/)\/+$/, '')}/${repository}`, commit, type: mark.type }
  const signal = AbortSignal.timeout(ASKING_MS_MAX)
  let asked = 'The service was asked for earlier annotations'
  let shipped = describeCommit(deployed)
  try {
    const start = new Date(Date.parse(caller.now) - DAYS_MAX * 86_400_000).toISOString()
    const base = findDeployed(await caller.annotations.list({ datasets: mark.datasets, start }, { signal }), deployed)
    if (base !== undefined) {
      asked = `The repository was asked for the commits ${base}...${commit}`
      shipped = describeShipped(
        deployed,
        base,
        await compareCommits(caller.githubToken, repository, `${base}...${commit}`, signal),
      )
    }
  } catch (error) {
    const refusal = explainRefusal(error, { redact: caller.redact, msMax: ASKING_MS_MAX, remedy: REMEDY })
    caller.notice(toLog(`${asked}, and the annotation does not say what was shipped: ${refusal}.`))
  }
  return addShipped(mark.description, shipped)
}

/** Source: https://docs.github.com/rest/commits/commits#compare-two-commits. Gitea answers with the count of all commits alone. */
async function compareCommits(token: string, repository: string, basehead: string, signal: AbortSignal): Promise<Comparison> {
  const [owner = '', repo = ''] = repository.split('/')
  const { repos } = new GitHub(getOctokitOptions(token)).rest
  const { data } = await repos.compareCommitsWithBasehead({ owner, repo, basehead, per_page: COMMITS_MAX, request: { signal } })
  return {
    aheadBy: data.ahead_by ?? data.total_commits,
    behindBy: data.behind_by ?? 0,
    commits: data.commits.map(({ commit, author }) => ({
      message: commit.message,
      author: author?.login ?? commit.author?.name ?? '',
      // For a rebased commit this is the time of the original change.
      time: commit.author?.date ?? '',
    })),
  }
}
