/**
 * What the CI says about the job that runs the command: what an annotation gets where nobody gave a title and a link. The variables
 * of some thirty CIs are read by env-ci; job-links.ts has what it lacks.
 */
import { URL_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints } from '@deployment-annotations/contract/text'
import { describeSource } from '@deployment-annotations/inputs/source'
import envCi from 'env-ci'
import { readJobLink } from './job-links.ts'

interface Job {
  /** `undefined` outside of a CI, and where it does not tell. */
  url: string | undefined
  /** What is deployed: `shop@v1.2.0`, or `shop@1a2b3c4 (main)`. */
  title: string | undefined
}

export function readJob(env: NodeJS.ProcessEnv): Job {
  const { isCi, service, jobUrl, buildUrl, slug, commit = env.CODEBUILD_RESOLVED_SOURCE_VERSION, ...source } = read(env)
  if (!isCi) return { url: undefined, title: undefined }
  const url = [readJobLink(service, env), jobUrl, buildUrl].find((link) => link && isLink(link))
  return { url, title: describeSource({ ...source, commit, repository: readRepository(service, env, slug) }) }
}

/** env-ci reads a file besides the variables where there is a pull request, and throws if that cannot be read. */
function read(env: NodeJS.ProcessEnv): ReturnType<typeof envCi> {
  try {
    return envCi({ env, cwd: process.cwd() })
  } catch {
    return { isCi: false }
  }
}

/** env-ci puts links together without looking whether the variables are there. */
function isLink(text: string): boolean {
  return /^https?:\/\/(?!\/|.*\bundefined\b)/.test(text) && countPoints(text) <= URL_POINTS_MAX
}

/** Where env-ci does not know the repository, or puts it together of variables that are not there. */
const REPOSITORIES: Readonly<Record<string, (env: NodeJS.ProcessEnv) => string | undefined>> = {
  azurePipelines: (env) => env.BUILD_REPOSITORY_NAME,
  codebuild: (env) => nameOf(env.CODEBUILD_SOURCE_REPO_URL),
  drone: (env) => env.DRONE_REPO,
  jenkins: (env) => nameOf(env.GIT_URL),
  teamcity: (env) => env.TEAMCITY_PROJECT_NAME,
  woodpecker: (env) => env.CI_REPO,
}

/** @returns `shop` of `git@example.com:acme/shop.git` */
function nameOf(url: string | undefined): string | undefined {
  return url
    ?.replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1)
}

/** @param slug what env-ci says */
function readRepository(service: string | undefined, env: NodeJS.ProcessEnv, slug: string | undefined): string | undefined {
  return REPOSITORIES[service ?? '']?.(env) || (slug?.includes('undefined') ? undefined : slug)
}
