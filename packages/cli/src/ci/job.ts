/**
 * What the CI says about the job that runs the command: what an annotation gets where nobody gave a title and a link. The variables
 * of some thirty CIs are read by env-ci; job-links.ts has what it lacks.
 */
import { URL_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints } from '@deployment-annotations/contract/text'
import envCi from 'env-ci'
import { readJobLink } from './job-links.ts'

export interface Job {
  /** `undefined` outside of a CI, and where it does not tell. */
  url: string | undefined
  /** What is deployed: `shop@v1.2.0`, or `shop@1a2b3c4 (main)`. */
  title: string | undefined
}

const COMMIT_SHOWN = 7

export function readJob(env: NodeJS.ProcessEnv): Job {
  const { isCi, service, jobUrl, buildUrl, ...source } = read(env)
  if (!isCi) return { url: undefined, title: undefined }
  const url = [readJobLink(service, env), jobUrl, buildUrl].find((link) => link && isLink(link))
  return { url, title: describeSource(source) }
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
  return /^https?:\/\/(?!.*\bundefined\b)/.test(text) && countPoints(text) <= URL_POINTS_MAX
}

function describeSource({
  slug,
  tag,
  commit,
  branch,
}: Pick<ReturnType<typeof envCi>, 'slug' | 'tag' | 'commit' | 'branch'>): string | undefined {
  const version = tag || commit?.slice(0, COMMIT_SHOWN)
  if (!version) return undefined
  const repository = slug && !slug.includes('undefined') ? slug.split('/').at(-1) : undefined
  const on = !tag && branch ? ` (${branch})` : ''
  return `${repository ? `${repository}@` : ''}${version}${on}`
}
