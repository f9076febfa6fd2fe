/**
 * What the CI says about the job that runs the command: the default title and link of an annotation. env-ci reads the variables of some
 * thirty CIs; job-links.ts adds what it lacks.
 */

import { spawnSync } from 'node:child_process'
import { withoutLogin } from '@deployment-annotations/contract/address'
import { URL_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints } from '@deployment-annotations/contract/text'
import { readEventSource } from '@deployment-annotations/inputs/event'
import { describeSource } from '@deployment-annotations/inputs/source'
import envCi from 'env-ci'
import { JOB_LINKS } from './job-links.ts'

/** A deployment waits for git no longer than this. */
const GIT_MS_MAX = 5_000
/** The variables with the head of a pull request, for CIs that build its merge with the base. */
const HEADS = [
  ...['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'SYSTEM_PULLREQUEST_SOURCECOMMITID', 'TRAVIS_PULL_REQUEST_SHA'],
  ...['APPVEYOR_PULL_REQUEST_HEAD_COMMIT', 'SEMAPHORE_GIT_PR_SHA', 'gitlabMergeRequestLastCommit'],
]
/** The variables with the repository, for CIs where env-ci does not read it or builds it from variables that are not set. */
const REPOSITORIES: Readonly<Record<string, string>> = {
  azurePipelines: 'BUILD_REPOSITORY_NAME',
  buildkite: 'BUILDKITE_REPO',
  circleci: 'CIRCLE_REPOSITORY_URL',
  codebuild: 'CODEBUILD_SOURCE_REPO_URL',
  drone: 'DRONE_REPO',
  jenkins: 'GIT_URL',
  teamcity: 'TEAMCITY_PROJECT_NAME',
  woodpecker: 'CI_REPO',
}

/**
 * @returns the link to the job, and what is deployed, as `describeSource` writes it; both `undefined` outside of a CI, or if the CI does
 *   not say it
 */
export function readJob(env: NodeJS.ProcessEnv): { url: string | undefined; title: string | undefined } {
  // For a pull request on GitHub env-ci reads the event, which may be no JSON, and throws.
  const { isCi, service = '', ...build } = envCi({ env: { ...env, GITHUB_EVENT_NAME: '' }, cwd: process.cwd() })
  if (!isCi) return { url: undefined, title: undefined }
  const url = [JOB_LINKS[service]?.(env), build.jobUrl, build.buildUrl].find((link) => link && isLink(link))
  const commit = HEADS.map((name) => env[name]).find(Boolean) || (build.commit ?? env.CODEBUILD_RESOLVED_SOURCE_VERSION)
  const source = {
    repository: [env[REPOSITORIES[service] ?? ''], build.slug].find(isRepository) || askGit('config', 'remote.origin.url'),
    tag: build.tag || (service === 'jenkins' ? env.TAG_NAME : undefined),
    commit: commit === 'HEAD' ? askGit('rev-parse', 'HEAD') : commit,
    branch: build.branch,
    request: readRequest(env, build.pr),
  }
  return {
    url: url && withoutLogin(new URL(url).href),
    title: describeSource({ ...source, ...(service === 'github' && readEventSource(env)) }),
  }
}

/** env-ci builds links and names without checking that the variables are set. */
const isLink = (text: string) =>
  URL.canParse(text) && /^https?:\/\/(?!\/|.*\bundefined\b)/.test(text) && countPoints(text) <= URL_POINTS_MAX
const isRepository = (text = '') => !/^(?:.*\/)?undefined$|^\/?$/.test(text)

/**
 * @param pr the number from env-ci, used if no variable has a better one: on GitLab it is that of the whole server, and for GitHub on
 *   Azure an internal one
 */
function readRequest(env: NodeJS.ProcessEnv, pr: string | undefined): string | undefined {
  const ofGitlab = env.CI_MERGE_REQUEST_IID || env.gitlabMergeRequestIid
  const number = env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER || env.BITBUCKET_PR_ID || pr
  return ofGitlab ? `!${ofGitlab}` : number && `#${number}`
}

/** Asks the checkout if no variable says it. */
function askGit(...args: string[]): string | undefined {
  return spawnSync('git', args, { encoding: 'utf8', timeout: GIT_MS_MAX }).stdout?.trim()
}
