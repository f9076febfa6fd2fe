/**
 * Every recipe as its CI runs it: with the variables that the CI documents, its command lines go to a shell, and the real service
 * tells what it has stored.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { send } from '../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { CIS, type Ci, UNUSUAL, WORKFLOW_RUNNERS } from './ci-variables.ts'
import { readRecipes } from './recipe.ts'
import { ANNOTATE, annotate, makeFolder } from './run-annotate.ts'

const service = serviceForTests()

interface Stored {
  url?: string
  title?: string
  endTime?: string
  description?: string
}

/** What the service has, by a dataset of the test's own. */
const readStored = (dataset: string) => send<Stored[]>(service, 'GET', `/v2/annotations?datasets=${dataset}`)

const makeDataset = (name: string) => send(service, 'POST', '/v2/datasets', { name })

/** A checkout that has the command, and something to deploy. */
function makeCheckout() {
  const folder = makeFolder()
  mkdirSync(join(folder.path, 'ci'))
  copyFileSync(ANNOTATE, join(folder.path, 'ci/annotate.cjs'))
  for (const name of ['deploy.sh', 'backup.sh', 'migrate.sh', 'test.sh', 'terraform', 'checkout']) {
    writeFileSync(join(folder.path, name), '#!/bin/sh\necho deployed\n')
    chmodSync(join(folder.path, name), 0o755)
  }
  return folder
}

/** What the CI's shells do with the lines of its page, one after the other. */
function runScripts({ page, env, values = {} }: Ci, dataset: string, token: string) {
  using checkout = makeCheckout()
  const path = `${dirname(process.execPath)}:${checkout.path}:${process.env.PATH}`
  const ours = { PATH: path, ANNOTATE_TOKEN: token, ANNOTATE_BASE_URL: service.url, ...env }
  return readRecipes(page).flatMap((recipe) =>
    recipe.scripts.map((script) => {
      const ofTheTest = script
        .replace(/--datasets \S+/, `--datasets ${dataset}`)
        .replace(/\$\{([\w.]+)\}/g, (text, name) => values[name] ?? text)
      const variables = { ...recipe.env, ANNOTATE_DATASETS: dataset, ...ours }
      const { status, stderr } = spawnSync('/bin/sh', ['-ec', ofTheTest], {
        cwd: checkout.path,
        env: variables,
        encoding: 'utf8',
      })
      return { script, status, stderr }
    }),
  )
}

test.each(CIS.map((ci, index) => ({ ...ci, index })))('$index: the recipes of $page leave what they say', async (ci) => {
  const { index, url, title, results } = ci
  const dataset = `recipe-${index}`
  await makeDataset(dataset)
  for (const run of runScripts(ci, dataset, service.token))
    expect(run).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/error:|warning:/) })
  const stored = await readStored(dataset)
  const spans = stored.filter(({ description }) => description?.includes(' after '))
  expect(spans.map(({ description }) => description)).toEqual(results.map((result) => expect.stringMatching(new RegExp(result))))
  expect(spans.every(({ endTime }) => endTime !== undefined)).toBe(true)
  if (url !== undefined) expect(stored.map((annotation) => annotation.url)).toEqual(stored.map(() => url))
  if (title !== undefined) expect(stored.map((annotation) => annotation.title)).toEqual(stored.map(() => title))
})

test.each(CIS.filter(({ page }, index) => CIS.findIndex((ci) => ci.page === page) === index))(
  'a token that is refused fails no line of $page',
  (ci) => {
    for (const run of runScripts(ci, 'web', 'xaat-unknown')) expect(run).toMatchObject({ status: 0 })
  },
)

test('the recipe that changes what it has marked goes on if an outage keeps it from marking', () => {
  using checkout = makeCheckout()
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { PATH: path, ANNOTATE_TOKEN: 'xaat-1', ANNOTATE_BASE_URL: 'http://127.0.0.1:1', ANNOTATE_TIMEOUT_SECONDS: '1' }
  const changing = readRecipes('shell.md').flatMap(({ scripts }) =>
    scripts.filter((script) => script.includes('annotate.cjs change')),
  )
  expect(changing).toHaveLength(1)
  const run = spawnSync('/bin/sh', ['-e', '-c', changing.join()], { cwd: checkout.path, env, encoding: 'utf8' })
  expect(run).toMatchObject({ status: 0, stderr: expect.stringContaining('No annotation was made: nothing to change.') })
})

/** How the blocks begin in which no CI runs a shell, and those for the command line of others. */
const WITHOUT_SHELL = [
  'FROM node', // an image
  'apiVersion: kustomize', // Flux runs the Job of the block for Argo CD
  'gh api repos', // GitHub's own command
  'annotation-service token', // beside the service: packages/service/__tests__/command-line.test.ts
]

test('every block of the recipes that is no workflow is run', () => {
  const run = new Set(
    CIS.flatMap(({ page }) => readRecipes(page)).flatMap(({ scripts, code }) => (scripts.length > 0 ? [code] : [])),
  )
  const blocks = readdirSync('docs/recipes')
    .filter((page) => page.endsWith('.md'))
    .flatMap(readRecipes)
  const left = blocks.map(({ code }) => code).filter((code) => !run.has(code) && !code.startsWith('# .github/'))
  expect(left.filter((code) => !WITHOUT_SHELL.some((beginning) => code.startsWith(beginning)))).toEqual([])
  expect(left).toHaveLength(WITHOUT_SHELL.length)
})

test.each(WORKFLOW_RUNNERS)('on $name the command links to the run as the step does', async ({ env, url }) => {
  const { stdout } = await annotate('', ['mark', '--dry-run', '--json'], { env: { ...env, ANNOTATE_BASE_URL: service.url } })
  expect(JSON.parse(stdout).body).toMatchObject({ url, title: 'shop@1a2b3c4 (main)' })
})

const dryRun = async (env: Readonly<Record<string, string>>, folder: { path: string }): Promise<Stored> =>
  JSON.parse((await annotate('http://127.0.0.1:1', ['mark', '--dry-run', '--json'], { env, cwd: folder.path })).stdout).body

test.each(UNUSUAL)('on a page of $page: $name', async ({ env, expected }) => {
  using folder = makeFolder()
  expect(await dryRun(env, folder)).toMatchObject(expected)
})

test('what no variable says is asked of the checkout', async () => {
  using folder = makeFolder()
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  const git = (...args: string[]) => spawnSync('git', ['-C', folder.path, ...author, ...args], { encoding: 'utf8' }).stdout
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  git('remote', 'add', 'origin', 'https://x-access-token:secret@github.com/acme/shop.git')
  const jobOf = (wanted: string) => UNUSUAL.find(({ name }) => name === wanted)?.env ?? {}
  expect(await dryRun(jobOf('a project of the GitHub App'), folder)).toMatchObject({ title: 'shop@1a2b3c4 (main)' })
  const title = `shop@${git('rev-parse', 'HEAD').slice(0, 7)} (main)`
  expect(await dryRun(jobOf('a build that was started by hand'), folder)).toMatchObject({ title })
})

test.each(['pull_request', 'pull_request_target'])(
  'on GitHub an event of %s that is no JSON costs the head of the pull request alone',
  async (event) => {
    using folder = makeFolder()
    const path = join(folder.path, 'event.json')
    const request = { GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: path, GITHUB_REF: 'refs/pull/123/merge' }
    const env = { ...WORKFLOW_RUNNERS[0]?.env, ...request }
    writeFileSync(path, '{"pull_request": ')
    expect(await dryRun(env, folder)).toMatchObject({ title: 'shop@1a2b3c4 (#123)', url: WORKFLOW_RUNNERS[0]?.url })
    writeFileSync(path, JSON.stringify({ pull_request: { number: 123, head: { sha: 'feedc0de'.repeat(5) } } }))
    expect(await dryRun(env, folder)).toMatchObject({ title: 'shop@feedc0d (#123)' })
  },
)

test('outside of a CI nothing is guessed, and half of the variables make no link', async () => {
  const { stdout } = await annotate(service.url, ['mark', '--dry-run', '--json'])
  expect(Object.keys(JSON.parse(stdout).body).sort()).toEqual(['datasets', 'time', 'type'])
  const half = await annotate(service.url, ['mark', '--dry-run', '--json'], { env: { CI: 'true', GITLAB_CI: 'true' } })
  expect(JSON.parse(half.stdout).body.url).toBeUndefined()
})
