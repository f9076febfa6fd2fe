/**
 * What the CI says about the job that runs the command: what an annotation gets where nobody gave a title and a link. The variables
 * of some thirty CIs are read by env-ci; job-links.ts has what it lacks.
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
/** The head of a pull request, where the CI builds its merge with the base. */
const HEADS = [
  ...['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'SYSTEM_PULLREQUEST_SOURCECOMMITID', 'TRAVIS_PULL_REQUEST_SHA'],
  ...['APPVEYOR_PULL_REQUEST_HEAD_COMMIT', 'SEMAPHORE_GIT_PR_SHA', 'gitlabMergeRequestLastCommit'],
]
/** Where env-ci does not know the repository, or puts it together of variables that are not there. */
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

/** @returns the page of the job, and what is deployed, as `describeSource` writes it; `undefined` outside of a CI, and where it does not tell */
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

/** env-ci puts links and names together without looking whether the variables are there. */
const isLink = (text: string) =>
  URL.canParse(text) && /^https?:\/\/(?!\/|.*\bundefined\b)/.test(text) && countPoints(text) <= URL_POINTS_MAX
const isRepository = (text = '') => !/^(?:.*\/)?undefined$|^\/?$/.test(text)

/** @param pr the number that env-ci reads: on GitLab one of the whole server, and for GitHub on Azure one that nobody knows */
function readRequest(env: NodeJS.ProcessEnv, pr: string | undefined): string | undefined {
  const ofGitlab = env.CI_MERGE_REQUEST_IID || env.gitlabMergeRequestIid
  const number = env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER || env.BITBUCKET_PR_ID || pr
  return ofGitlab ? `!${ofGitlab}` : number && `#${number}`
}

/** What the checkout says where no variable does. */
function askGit(...args: string[]): string | undefined {
  return spawnSync('git', args, { encoding: 'utf8', timeout: GIT_MS_MAX }).stdout?.trim()
}
