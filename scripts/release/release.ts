/**
 * Which release this checkout is, and its texts as people read them elsewhere than in this repository.
 *
 *   node scripts/release/release.ts      prints the notes of the release, which are its section of CHANGELOG.md
 */
import { readFileSync } from 'node:fs'

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

export const VERSION: string = readJson('package.json').version
export const TAG = `v${VERSION}`
/** `owner/name`, from the address that the packages give. */
export const REPOSITORY: string = readJson('packages/client/package.json').repository.url.replace(/^.*\.com\/|\.git$/g, '')

/** @returns a section of the changelog without its heading; '' if there is none */
export function readSection(heading: string): string {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
  const found = sections.find((section) => section.split(/\s/, 1)[0] === heading) ?? ''
  return found.slice(found.indexOf('\n')).trim()
}

/** @returns the page with links to this repository, at the tag, in place of relative ones to what is not beside it */
export function linkBack(page: string, isBeside: (path: string) => boolean): string {
  return page.replace(/\]\((?!\w+:|#)([^)#\s]+)/g, (link, path: string) => {
    const view = path.endsWith('.png') ? 'raw' : 'blob'
    return isBeside(path) ? link : `](https://github.com/${REPOSITORY}/${view}/${TAG}/${path}`
  })
}

if (import.meta.main) {
  const notes = readSection(VERSION)
  if (notes === '') throw new Error(`CHANGELOG.md has no section ${VERSION}, or nothing in it`)
  console.log(linkBack(notes, () => false))
}
