/**
 * The lists of the documentation against what they list.
 * Deliberately not here: lists that have a test beside what they list, such as those of the query language and of the flags.
 */
import { existsSync, globSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from '@jest/globals'
import { GO_TOOLS } from '../support/go-tools.ts'
import { read, sources } from './tree.ts'

test('docs/architecture.md names every package and every folder right below its source', () => {
  const packages = globSync('packages/*/').map((folder) => `${folder}/`.replace('//', '/'))
  const folders = sources.flatMap((file) => /^(?:packages\/[^/]+\/)?src\/[^/]+\//.exec(file) ?? [])
  const map = read('docs/architecture.md')
  const absent = [...new Set([...packages, ...folders])].filter((folder) => !map.includes(`\`${folder}\``))
  expect(absent.sort()).toEqual([])
})

/** The pages that a page links to. */
function linksOf(page: string): string[] {
  const prose = read(page).replace(/^```[\s\S]*?^```/gm, '')
  const targets = [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => !target.includes(':')).map((target) => normalize(join(dirname(page), target)))
}

const docs = globSync('docs/**/*.md')

test('a link between pages leads somewhere', () => {
  const linking = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs]
  const broken = linking.flatMap((page) => linksOf(page).flatMap((to) => (existsSync(to) ? [] : `${page} links to ${to}`)))
  expect(broken).toEqual([])
})

test('every page is linked from the README or from another page', () => {
  const linked = new Set(['README.md', ...docs].flatMap((page) => linksOf(page).filter((to) => to !== page)))
  expect(docs.filter((page) => !linked.has(page))).toEqual([])
})

test('every decision is linked from docs/architecture.md', () => {
  const linked = linksOf('docs/architecture.md')
  expect(docs.filter((page) => page.startsWith('docs/decisions/') && !linked.includes(page))).toEqual([])
})

test('the versions that README calls supported are those that packages demand and tests have', () => {
  const engines = ['client', 'cli', 'service'].map((name) => JSON.parse(read(`packages/${name}/package.json`)).engines.node)
  const support = read('README.md').split('\n## Support\n')[1] ?? ''
  for (const version of [...engines, GO_TOOLS.act.version]) expect(support).toContain(version.replace(/^\D+/, ''))
})

/** The first column of the table in a section of docs/errors.md. */
function readCodes(section: string): string[] {
  const text = read('docs/errors.md').split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...text.matchAll(/^\| `([a-z_-]+)` \|/gm)].map((match) => match[1] ?? '').sort()
}

test('docs/errors.md lists just the codes of the client', () => {
  const declared = read('packages/client/src/errors.ts').match(/readonly code\b.*'[a-z-]+'/g) ?? []
  const codes = declared.flatMap((line) => [...line.matchAll(/'([a-z-]+)'/g)].map((match) => match[1]))
  expect(readCodes('The client')).toEqual([...new Set(codes)].sort())
})

test('docs/errors.md lists just the codes of the service', () => {
  const declared = /const STATUS_OF = \{([^}]*)\}/.exec(read('packages/runtime/src/errors.ts'))?.[1] ?? ''
  expect(readCodes('The service')).toEqual([...declared.matchAll(/(\w+): \d+/g)].map((match) => match[1]).sort())
})
