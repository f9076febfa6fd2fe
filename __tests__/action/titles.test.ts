/** Titles: cut by one rule, whether a step sent them or a deployment platform, and made of what CI says is deployed. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { correct } from '@deployment-annotations/inputs/corrections'
import { describeSource, readVersion } from '@deployment-annotations/inputs/source'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { buildAnnotation } from '../../packages/edge/src/platforms/annotation.ts'
import { deploymentFrom } from '../../packages/edge/src/platforms/deployment.ts'
import { folderForTests } from '../support/for-tests.ts'
import { runAction } from '../support/run-action.ts'

const titleOfStep = (title: string) => correct({ title }).raw.title

function titleOfDeployment(title: string) {
  const deployment = deploymentFrom({ deployment: '1', state: 'started', atNs: 1n, facts: {}, environments: [] })
  return buildAnnotation(deployment, { datasets: ['web'], type: 'deploy', title }).title
}

test('a title that is too long is cut at the same character', () => {
  const unit = fc.constantFrom('a', 'é', 'e\u0301', '👩‍💻', '🇨🇭', '한')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 100, maxLength: 300 }), (title) => {
      expect(titleOfDeployment(title)).toBe(titleOfStep(title))
    }),
  )
  expect(titleOfStep(`${'x'.repeat(254)}👩‍💻`)).toBe(`${'x'.repeat(254)}…`)
})

const [MERGE, HEAD] = ['0123456789', 'feedc0de12'].map((digits) => digits.repeat(4)) as [string, string]
const REQUEST = { number: 123, head: { sha: HEAD }, merged: false, merge_commit_sha: MERGE }

const folder = folderForTests('event')
let events = 0

/** @param event the file of the event, or what is in the place of the file */
async function titleOf(env: Record<string, string>, event: object | string | ((path: string) => void) = {}): Promise<unknown> {
  const path = join(folder, `${++events}.json`)
  if (typeof event === 'function') event(path)
  else writeFileSync(path, typeof event === 'string' ? event : JSON.stringify(event))
  const all = { GITHUB_SHA: MERGE, GITHUB_EVENT_PATH: path, ...env }
  const run = await runAction({ datasets: 'web', dryRun: 'true' }, { env: all })
  expect(run).toMatchObject({ exitCode: 0, errors: [], warnings: [] })
  return JSON.parse(run.log.join('').replace(/^.*? with /, '')).title
}

const PULL = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/123/merge' }
const TARGET = { GITHUB_EVENT_NAME: 'pull_request_target', GITHUB_REF: 'refs/heads/main' }
const QUEUE = { GITHUB_EVENT_NAME: 'merge_group', GITHUB_REF: `refs/heads/gh-readonly-queue/main/pr-123-${HEAD}` }
const AFTER = { GITHUB_EVENT_NAME: 'workflow_run', GITHUB_REF: 'refs/heads/main' }

test.each([
  ['a push', 'shop@0123456 (main)', { GITHUB_EVENT_NAME: 'push', GITHUB_REF: 'refs/heads/main' }, {}],
  ['a tag', 'shop@v1.2.0', { GITHUB_EVENT_NAME: 'push', GITHUB_REF: 'refs/tags/v1.2.0' }, {}],
  ['a tag of a monorepo', 'shop @acme/cart@1.2.3', { GITHUB_EVENT_NAME: 'push', GITHUB_REF: 'refs/tags/@acme/cart@1.2.3' }, {}],
  ['a pull request', 'shop@feedc0d (#123)', PULL, { pull_request: REQUEST }],
  ['a review', 'shop@feedc0d (#123)', { ...PULL, GITHUB_EVENT_NAME: 'pull_request_review' }, { pull_request: REQUEST }],
  ['the target of a pull request', 'shop@feedc0d (#123)', TARGET, { pull_request: REQUEST }],
  ['a pull request that was merged', 'shop@0123456 (#123)', TARGET, { pull_request: { ...REQUEST, merged: true } }],
  ['a merge queue', 'shop@0123456 (#123)', QUEUE, {}],
  ['a run after another workflow', 'shop@feedc0d (cart)', AFTER, { workflow_run: { head_sha: HEAD, head_branch: 'cart' } }],
] as const)('the title of %s says what is deployed', async (_, title, env, event) => {
  expect(await titleOf(env, event)).toBe(title)
})

test.each([
  ['no JSON', '{"pull_request": {"head": '],
  ['null', 'null'],
  ['of another shape', { pull_request: { number: '1\n2', head: null } }],
  ['not there', () => undefined],
  ['too large', (path: string) => writeFileSync(path, JSON.stringify({ pull_request: REQUEST, more: ' '.repeat(5 << 20) }))],
  ['a pipe that nobody writes to', (path: string) => spawnSync('mkfifo', [path])],
])('an event that is %s costs the head of the pull request alone', async (_, event) => {
  expect(await titleOf(PULL, event)).toBe('shop@0123456 (#123)')
})

test('a version is read back from every title that is made of one', () => {
  const name = fc.stringMatching(/^[\w.-]{1,20}$/)
  const unit = fc.constantFrom(...'aZ09@@//..--_+()#!,=%{}'.split(''), 'é', '🚀')
  const tag = fc.string({ unit, minLength: 1, maxLength: 24 })
  const version = fc.oneof(
    fc.record({ tag }),
    fc.record({ tag: fc.constantFrom('@acme/cart@1.2.3', 'cart-v1.2.3', 'cart/v1.2.3', 'cart@1.2.3') }),
    fc.record({ commit: fc.stringMatching(/^[0-9a-f]{40}$/) }),
  )
  const place = fc.record({
    branch: fc.oneof(tag, fc.constant('refs/heads/main')),
    request: fc.option(fc.constant('#123'), { nil: undefined }),
  })
  fc.assert(
    fc.property(name, version, place, (repository, deployed, where) => {
      const source: { tag?: string; commit?: string } = deployed
      const title = describeSource({ repository: `acme/${repository}`, ...source, ...where }) ?? ''
      expect(title).not.toContain('@@acme')
      expect(readVersion(title, repository)).toBe(source.tag ?? source.commit?.slice(0, 7))
    }),
  )
})

test.each([
  ['<default>', ''],
  ['refs/heads/pull/7/cart', ' (pull/7/cart)'],
  ['pull/7', ' (#7)'],
  ['refs/pull-requests/7/from', ' (#7)'],
  ['refs/merge-requests/7/head', ' (!7)'],
])('the branch %s is shown as people know it', (branch, shown) => {
  expect(describeSource({ repository: 'shop', commit: MERGE, branch })).toBe(`shop@0123456${shown}`)
})
