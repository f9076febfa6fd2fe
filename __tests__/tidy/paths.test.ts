/**
 * A file that a comment or a page names is there. A comment may name it from its own folder, from its package or from the top, or by
 * the end of its path alone where only one file ends so.
 * Deliberately not here: addresses of other sites, and paths of the service's HTTP interface.
 */
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from '@jest/globals'
import { commentsOf, expectOnly, packageOf, pages, read, scripts, sources, tests } from './tree.ts'

/** Comments that name what was moved. Nothing is added here. */
const STALE_COMMENTS: readonly string[] = [
  'packages/service/src/routes/ingest.ts names ingest/ingest.ts',
  'packages/service/src/events/event-time.ts names api/timestamp.ts',
  'packages/service/src/events/field-tree.ts names events/catalogue.ts',
  'packages/service/src/events/limits.ts names ingest/admission.ts',
]
/** Pages that name what was moved. Nothing is added here. */
const STALE_PAGES: readonly string[] = ['docs/architecture.md']

const PATH = /(?<![\w/@.-])(?:\.{1,2}\/)*(?:[\w@-][\w@.-]*\/)*[\w-][\w.-]*\.(?:tsx?|md|css|ya?ml)(?![\w/])/g
const FOLDER = /(?<![\w/@.-])(?:src|packages|scripts|bench|docs|__tests__)\/(?:[\w-]+\/)*(?![\w.*{$-])/g

const everyFile = globSync('{src,packages,scripts,bench,docs,__tests__,dist,.github,.ci}/**/*', {
  exclude: (path) => path.includes('node_modules'),
}).concat(globSync('{*,.*}.*'))

/** Whether a path names one file, seen from the file that names it. */
function isThere(path: string, from: string): boolean {
  const home = packageOf(from) === 'action' ? '.' : `packages/${packageOf(from)}`
  const places = [dirname(from), `${home}/src`, home, '.']
  if (places.some((place) => existsSync(join(place, path)))) return true
  return everyFile.filter((file) => file.endsWith(`/${path}`)).length === 1
}

const missing = (text: string, file: string) =>
  [...(text.match(PATH) ?? []), ...(text.match(FOLDER) ?? [])]
    .filter((path) => !isThere(path, file))
    .map((path) => `${file} names ${path}`)

test('a file named in a comment is there', () => {
  expectOnly(
    [...sources, ...scripts, ...tests].flatMap((file) => commentsOf(file).flatMap((comment) => missing(comment, file))),
    STALE_COMMENTS,
  )
})

test('a file named in a page is there', () => {
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => (read(page).match(/`[^`\n]+`/g) ?? []).flatMap((code) => missing(code.slice(1, -1), page)))
  const isStale = (finding: string) => STALE_PAGES.find((page) => finding.startsWith(`${page} `))
  expectOnly([...new Set(named.map((finding) => isStale(finding) ?? finding))], STALE_PAGES)
})
