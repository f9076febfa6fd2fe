/**
 * What is deployed, as a title: the repository and its version. Deliberately not here: where a CI says it.
 */

/** What a CI says about the source of a job; absent or empty where it does not. */
interface Source {
  /** `owner/name`, or the name alone */
  repository?: string | undefined
  tag?: string | undefined
  commit?: string | undefined
  branch?: string | undefined
}

/** How many digits of a commit people are shown. */
export const COMMIT_SHOWN = 7

/** @returns `shop@v1.2.0`, or `shop@1a2b3c4 (main)`; `undefined` without a tag and a commit */
export function describeSource({ repository, tag, commit, branch }: Source): string | undefined {
  const version = tag || commit?.slice(0, COMMIT_SHOWN)
  if (!version) return undefined
  const name = repository?.split('/').at(-1)
  return `${name ? `${name}@` : ''}${version}${!tag && branch ? ` (${branch})` : ''}`
}
