/**
 * What is in dist/, and what runners download of this repository.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'

const read = (file: string) => readFileSync(file, 'utf8')
const step = ['dist/index.js', 'dist/post/close.js', 'dist/post/index.js']
const steps = [...step, 'compare/dist/index.js']
const shared = ['proxy.js', 'random.js']
const beside = { 'dist/post': '..', 'compare/dist': '../../dist' }
const links = Object.keys(beside).flatMap((folder) => shared.map((name) => `${folder}/${name}`))
const bundles = [...steps, ...shared.map((name) => `dist/${name}`), ...links, 'dist/undici.js']

test('the bundles have names that stay', () => {
  const files = globSync('{dist,compare}/**/*.*').map((file) => file.replaceAll('\\', '/'))
  expect(files.sort()).toEqual(
    [...bundles, 'dist/licenses.txt', 'dist/package.json', 'compare/action.yml', 'compare/dist/package.json'].sort(),
  )
})

test('undici is there once, and loaded only where there is a proxy', () => {
  expect(bundles.filter((file) => /class Pool\b/.test(read(file)))).toEqual(['dist/undici.js'])
  expect(bundles.filter((file) => /from "\.\/undici\.js"/.test(read(file)))).toEqual(['dist/proxy.js'])
  expect(steps.filter((file) => /^import .*proxy\.js/m.test(read(file)))).toEqual([])
})

test('what all steps load by the same name is there once', () => {
  for (const [folder, way] of Object.entries(beside))
    for (const name of shared) expect(read(`${folder}/${name}`)).toBe(`export * from '${way}/${name}'\n`)
})

test('nothing of the comparison is in the step, and the comparison is lean', () => {
  expect(step.filter((file) => /packages\/compare\/|createQueryClient/.test(read(file)))).toEqual([])
  expect(read('compare/dist/index.js')).toMatch(/createQueryClient/)
  expect(read('compare/dist/index.js').length).toBeLessThan(270_000)
})

test('the post step loads nothing before it knows that there is something to do', () => {
  const entry = read('dist/post/index.js')
  expect([...entry.matchAll(/\b(?:import|require)\s*\(?\s*["']([^"']+)["']/g)].map(([, name]) => name)).toEqual(['./close.js'])
  expect(entry).not.toMatch(/^import /m)
})

test('neither fetch nor the API client is bundled', () => {
  expect(bundles.filter((file) => /class (FormData|Headers|WebSocket|Octokit)\b/.test(read(file)))).toEqual([])
  expect(
    bundles
      .filter((file) => file.startsWith('dist/'))
      .map((file) => read(file).length)
      .reduce((sum, chars) => sum + chars),
  ).toBeLessThan(700_000)
})

test('the licenses of all bundled packages are told', () => {
  const merged = bundles.flatMap((file) => [...read(file).matchAll(/MODULE: \.\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)])
  const names = new Set(['undici', ...merged.map(([, name = '']) => name)])
  const told = read('dist/licenses.txt')
    .split('\n')
    .filter((line) => names.has(line))
  expect(told).toEqual([...names].sort())
})

const isCheckout = spawnSync('git', ['rev-parse', '--verify', 'HEAD']).status === 0
if (!isCheckout) console.log('skipped: what runners download is told by git, and this is no checkout')

;(isCheckout ? test : test.skip)('what runners download is small, and has all that the step needs', () => {
  const { stdout: archive } = spawnSync('git', ['archive', '--worktree-attributes', 'HEAD'], { maxBuffer: 2 ** 28 })
  const files = listTar(archive)
  expect(files).toEqual(
    expect.arrayContaining([
      'action.yml',
      'LICENSE',
      'README.md',
      ...bundles,
      'dist/package.json',
      'compare/action.yml',
      'compare/dist/package.json',
    ]),
  )
  expect(files.length).toBeLessThanOrEqual(60)
  expect(gzipSync(archive).length).toBeLessThanOrEqual(320_000)
})

/** The regular files in a tar archive: blocks of 512 bytes, a header with name, size and kind before the blocks of each file. */
function listTar(archive: Buffer): string[] {
  const files: string[] = []
  for (let at = 0; archive[at]; ) {
    const text = (from: number, length: number) => archive.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '')
    if (text(156, 1) === '0') files.push(text(0, 100))
    at += 512 * (1 + Math.ceil(Number.parseInt(text(124, 12), 8) / 512))
  }
  return files
}
