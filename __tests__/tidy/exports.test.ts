/**
 * What a file exports, another file of ours uses. Tests do not count: what only they use belongs to them.
 * Deliberately not here: what a package publishes under a name of its own, which is for others.
 */
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from '@jest/globals'
import { exportsOf, usesOf } from './names.ts'
import { expectOnly, read, scripts, sources, tests } from './tree.ts'
import { ONLY_TESTS_USE, UNUSED } from './unused.ts'

/** The files that a package.json names one by one: what they export is published. */
const published = globSync('packages/*/package.json').flatMap((manifest) => {
  const { exports = {} } = JSON.parse(read(manifest)) as { exports?: object }
  const targets = Object.values(exports).flatMap((target) => (typeof target === 'string' ? target : (target.default as string)))
  return targets
    .flatMap((target) => /^\.\/lib\/([^*]+)\.js$/.exec(target)?.[1] ?? [])
    .map((file) => `${dirname(manifest)}/src/${file}.ts`)
})

const usedBy = (files: readonly string[]) => new Set(files.flatMap(usesOf))
const usedByUs = usedBy([...sources, ...scripts])
const usedByTests = usedBy(tests)

const isUsed = (used: ReadonlySet<string>, file: string, name: string) => used.has(`${file}:${name}`) || used.has(`${file}:*`)
const unused = sources
  .filter((file) => !published.includes(file))
  .flatMap((file) => exportsOf(file).map((name) => ({ file, name })))
  .filter(({ file, name }) => !isUsed(usedByUs, file, name))
const inWords = ({ file, name }: { file: string; name: string }) => `${file}: ${name}`

test('there are exports to look at', () => {
  expect(sources.flatMap(exportsOf).length).toBeGreaterThan(500)
})

test('an export is used by another file', () => {
  expectOnly(unused.filter(({ file, name }) => !isUsed(usedByTests, file, name)).map(inWords), UNUSED)
})

test('an export is not there for tests alone', () => {
  expectOnly(unused.filter(({ file, name }) => isUsed(usedByTests, file, name)).map(inWords), ONLY_TESTS_USE)
})
