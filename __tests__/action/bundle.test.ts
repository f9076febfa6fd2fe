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
const shared = ['corrections.js', 'debug.js', 'proxy.js']
const beside = [
  ['dist/post', '..', shared],
  ['compare/dist', '../../dist', [...shared, 'shipped.js']],
] as const
const links = beside.flatMap(([folder, , names]) => names.map((name) => `${folder}/${name}`))
const bundles = [
  ...steps,
  ...shared.map((name) => `dist/${name}`),
  ...links,
  'dist/undici.js',
  'dist/event.js',
  'dist/shipped.js',
  'compare/dist/github-report.js',
  'dist/post/verdict.js',
]

test('the bundles have names that stay', () => {
  const files = globSync('{dist,compare}/**/*.*').map((file) => file.replaceAll('\\', '/'))
  expect(files.sort()).toEqual(
    [...bundles, 'dist/licenses.txt', 'dist/package.json', 'compare/action.yml', 'compare/dist/package.json'].sort(),
  )
})

test('undici is there once, and loaded only where there is a proxy or the repository is asked', () => {
  expect(bundles.filter((file) => /UND_ERR_HEADERS_TIMEOUT/.test(read(file)))).toEqual(['dist/undici.js'])
  expect(bundles.filter((file) => /require\("\.\/undici\.js"\)/.test(read(file)))).toEqual(['dist/proxy.js', 'dist/shipped.js'])
  expect(steps.filter((file) => /require\("[./]*(debug|proxy|shipped)\.js"\)/.test(read(file)))).toEqual([])
})

test('what all steps load by the same name is there once', () => {
  for (const [folder, way, names] of beside)
    for (const name of names) expect(read(`${folder}/${name}`)).toBe(`module.exports = require('${way}/${name}')\n`)
})

test('nothing of the comparison is in the step, and the comparison is lean', () => {
  const question = 'Looking at '
  expect(steps.filter((file) => read(file).includes(question))).toEqual(['compare/dist/index.js'])
  expect(read('compare/dist/index.js').length).toBeLessThan(138_000)
  // It draws what the service has judged, and judges nothing.
  expect(read('dist/post/verdict.js').length).toBeLessThan(9_000)
})

test('the step starts without a module of Node that is slow to load', () => {
  expect(steps.filter((file) => /require\("(node:)?crypto"\)|\.promises\b/.test(read(file)))).toEqual([])
  const loaded = [...read('dist/index.js').matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name)
  expect(new Set(loaded)).toEqual(new Set(['fs', 'node:events', 'node:fs', 'node:os', 'os', 'path']))
})

test('the post step loads nothing before it knows that there is something to do', () => {
  const entry = read('dist/post/index.js')
  expect([...entry.matchAll(/\b(?:import|require)\s*\(?\s*["']([^"']+)["']/g)].map(([, name]) => name)).toEqual(['./close.js'])
  expect(entry.length).toBeLessThan(2_000)
})

test('fetch is not bundled, and the client of the repository is in the bundle that asks it alone', () => {
  expect(bundles.filter((file) => /class extends EventTarget|multipart\/form-data/.test(read(file)))).toEqual([])
  expect(bundles.filter((file) => /octokit-core\.js/.test(read(file)))).toEqual(['dist/shipped.js'])
  expect(
    bundles
      .filter((file) => file.startsWith('dist/'))
      .map((file) => read(file).length)
      .reduce((sum, chars) => sum + chars),
  ).toBeLessThan(563_000)
})

test('the licenses of all bundled packages are told', () => {
  const told = read('dist/licenses.txt').split('\n')
  for (const name of ['@actions/core', '@actions/github', 'undici']) expect(told).toContain(name)
})

const isCheckout = spawnSync('git', ['rev-parse', '--verify', 'HEAD']).status === 0
if (!isCheckout) console.log('skipped: what runners download is told by git, and this is no checkout')

;(isCheckout ? test : test.skip)('what runners download is small, and has all that the step needs', () => {
  const { stdout: archive } = spawnSync('git', ['archive', '--worktree-attributes', 'HEAD'], { maxBuffer: 2 ** 28 })
  const { stdout: listed } = spawnSync('tar', ['-t'], { input: archive, encoding: 'utf8' })
  const files = listed.split('\n').filter((name) => /[^/]$/.test(name))
  expect(files).toEqual(expect.arrayContaining(['action.yml', 'LICENSE', 'README.md', ...globSync('{dist,compare}/**/*.*')]))
  expect(files.length).toBeLessThanOrEqual(60)
  expect(gzipSync(archive).length).toBeLessThanOrEqual(320_000)
})
