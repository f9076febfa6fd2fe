/**
 * What is deployed, as a title: the repository and its version. Deliberately not here: where a CI says it.
 */

/** What a CI says about the source of a job; absent or empty where it does not. */
export interface Source {
  /** Its address, `owner/name`, or the name alone. */
  repository?: string | undefined
  tag?: string | undefined
  commit?: string | undefined
  /** Its name, or a whole ref such as `refs/heads/main`. */
  branch?: string | undefined
  /** A pull request, as people write it: `#123`. */
  request?: string | undefined
}

/** How many digits of a commit people are shown. */
export const COMMIT_SHOWN = 7

/** Branches that stand for a pull request: a merge queue's, and refs of GitHub, Gitea, Azure and Bitbucket, then of GitLab. */
const QUEUED = /^gh-readonly-queue\/.+\/pr-(\d+)-/
const REQUEST = /^(?:refs\/)?(pull|pull-requests|merge-requests)\/(\d+)(?:\/|$)/
/** What stands for a branch where a clone is on none, or on TeamCity's default, which has no name. */
const NO_BRANCH = /^(?:HEAD|detached|\(.*\)|<default>)$/

/** @returns `shop@v1.2.0`, `shop@1a2b3c4 (#123)` or `shop@1a2b3c4 (main)`; `undefined` where neither a version nor a branch is known */
export function describeSource({ repository = '', commit = '', ...source }: Source): string | undefined {
  const { tag, place } = readRef(source)
  // Of an address without a path nothing is left: its host may have a login before it.
  const path = repository.replace(/^\w+:\/\/[^/]*/, '').replace(/(?:\.git)?(?<!\/)\/*$/, '')
  const name = path.split(/[/:]/).at(-1)?.trim()
  const version = tag || (/^[\da-f]+$/i.test(commit) ? commit.slice(0, COMMIT_SHOWN) : '')
  if (!version && !(name && place)) return undefined
  const subject = name && version ? `${name}${namesPackage(version) ? ' ' : '@'}${version}` : name || version
  return `${subject}${!tag && place ? ` (${place})` : ''}`
}

/** @returns the version in a title as the above, if it is of this repository */
export function readVersion(title: string, name: string): string | undefined {
  if (!title.startsWith(name)) return undefined
  const [, separator, version = ''] = /^([@ ])(\S+)(?: \(.*\))?$/.exec(title.slice(name.length)) ?? []
  return separator === '@' || namesPackage(version) ? version : undefined
}

/** Tags of a monorepo, such as `@acme/cart@1.2.3`, are not joined by another `@`. */
function namesPackage(version: string): boolean {
  return /^[^(]*@/.test(version)
}

function readRef({ tag, branch = '', request }: Source): { tag?: string | undefined; place?: string | undefined } {
  const [, tagged] = /^refs\/tags\/(.+)$/.exec(branch) ?? []
  if (tag || tagged) return { tag: tag || tagged }
  const name = branch.replace(/^(?:refs\/heads\/|(?:refs\/)?remotes\/[^/]+\/|origin\/)/, '')
  const [, queued] = QUEUED.exec(name) ?? []
  const [, kind, number] = REQUEST.exec(branch) ?? []
  const asked = number && `${kind === 'merge-requests' ? '!' : '#'}${number}`
  return { place: request || (queued ? `#${queued}` : asked) || (NO_BRANCH.test(name) ? '' : name) }
}
