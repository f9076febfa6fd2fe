/**
 * A file that a comment or a page names is there. A comment may name it from its own folder, from its package or from the top, or by
 * the end of its path alone where only one file ends so.
 * Deliberately not here: addresses of other sites, and paths of the service's HTTP interface.
 */
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { commentsOf, packageOf, pages, read, scripts, sources, tests } from './tree.ts'

const PATH = /(?<![\w/@.-])(?:\.{1,2}\/)*(?:[\w@-][\w@.-]*\/)*[\w-][\w.-]*\.(?:tsx?|md|css|ya?ml)(?![\w/])/g
const FOLDER = /(?<![\w/@.-])(?:src|packages|scripts|bench|docs|__tests__)\/(?:[\w-]+\/)*(?![\w.*{$-])/g

const everyFile = globSync('{src,packages,scripts,bench,docs,__tests__,compare,dist,.github,.ci}/**/*', {
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
  const files = [...sources, ...scripts, ...tests]
  expect(files.flatMap((file) => commentsOf(file).flatMap((comment) => missing(comment, file)))).toEqual([])
})

test('a file named in a page is there', () => {
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => (read(page).match(/`[^`\n]+`/g) ?? []).flatMap((code) => missing(code.slice(1, -1), page)))
  expect([...new Set(named)]).toEqual([])
})
