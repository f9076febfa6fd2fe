/**
 * Every workflow of docs/recipes/, run as it stands there: in nektos/act, against the real service.
 */
import { basename } from 'node:path'
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/schemas/annotation'
import { afterEach, beforeAll, expect } from '@jest/globals'
import { serviceForTests } from '../support/for-tests.ts'
import { makeRepository, testInRunner, type WorkflowOptions } from '../support/runners.ts'
import { filesOf, recipeFiles } from './recipes.ts'

const service = serviceForTests()
beforeAll(async () => {
  for (const name of ['web', 'web-staging', 'api']) await ask('POST', '/v2/datasets', { name })
})
afterEach(async () => {
  for (const { id } of await list()) await ask('DELETE', `/v2/annotations/${id}`)
})

function ask(method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${service.token}`, ...(body && { 'content-type': 'application/json' }) }
  return fetch(`${service.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

const mark = (annotation: NewAnnotation) => ask('POST', '/v2/annotations', annotation)
const list = async () => (await (await ask('GET', '/v2/annotations')).json()) as Annotation[]

const cooked = new Set<string>()

/** Runs a recipe's workflow as often as there are options. @returns what the service then has, the earliest first */
async function cook(recipe: string, workflow: string, ...runs: WorkflowOptions[]): Promise<Annotation[]> {
  cooked.add(`${recipe}: ${workflow}`)
  using repository = makeRepository('__tests__/workflows/deployed', service.url, filesOf(recipe))
  for (const options of runs) {
    const payload = { ref: 'refs/heads/main', repository: { name: 'shop' }, ...options.payload }
    const { log } = await repository.run(workflow, { ...options, payload, secrets: { AXIOM_TOKEN: service.token } })
    expect(log).not.toMatch(/::(?:error|warning)/)
  }
  return (await list()).sort((a, b) => a.time.localeCompare(b.time))
}

const success = expect.stringMatching(/^success after \d+ s$/)

testInRunner('matrix: three jobs, one mark', async () => {
  expect(await cook('matrix', 'deploy.yml', {})).toMatchObject([{ type: 'production-deploy', title: 'shop@main' }])
})

testInRunner('re-run: a second attempt changes the mark of the first', async () => {
  const marks = await cook('re-run', 'deploy.yml', {}, { env: { GITHUB_RUN_ATTEMPT: '2' } })
  expect(marks).toMatchObject([{ title: 'shop run 1, attempt 2' }])
})

testInRunner('failure: a failed deployment has a type of its own', async () => {
  const marks = await cook('failure', 'deploy.yml', {}, { env: { DEPLOY_FAILS: '1' } })
  expect(marks).toMatchObject([
    { type: 'production-deploy', description: success },
    { type: 'failed-deploy', description: expect.stringMatching(/^failure after \d+ s$/) },
  ])
})

testInRunner('reusable-workflow: each call marks the service that it deploys', async () => {
  expect(await cook('reusable-workflow', 'release.yml', {})).toMatchObject([
    { datasets: ['web'], title: 'web@main', description: success },
    { datasets: ['api'], title: 'api@main', description: success },
  ])
})

testInRunner('environments: one after the other', async () => {
  expect(await cook('environments', 'deploy.yml', {})).toMatchObject([
    { datasets: ['web-staging'], type: 'staging-deploy', description: success },
    { datasets: ['web'], type: 'production-deploy', description: success },
  ])
})

testInRunner('monorepo: what changed since the push before is marked', async () => {
  const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
  const marks = await cook('monorepo', 'deploy.yml', { payload: { before: emptyTree } })
  expect(marks).toMatchObject([{ datasets: ['api', 'web'], title: expect.stringMatching(/^api,web at [0-9a-f]{40}$/) }])
})

testInRunner('rollback: it links to what it takes back, which says so too', async () => {
  const url = 'https://github.com/acme/shop/actions/runs/41'
  await mark({ datasets: ['web'], type: 'production-deploy', time: '2026-01-01T00:00:00Z', title: 'v40' })
  await mark({ datasets: ['web'], type: 'production-deploy', time: '2026-01-02T00:00:00Z', title: 'v41', url })
  const marks = await cook('rollback', 'rollback.yml', { event: 'workflow_dispatch', payload: { inputs: { version: 'v40' } } })
  expect(marks).toMatchObject([
    { title: 'v40' },
    { title: 'v41 (taken back)' },
    { type: 'rollback', title: 'v41 → v40', description: expect.stringContaining(`Takes back ${url}\n\nsuccess after`) },
  ])
})

testInRunner('rollback: it is not held up where there is nothing to take back', async () => {
  const marks = await cook('rollback', 'rollback.yml', { event: 'workflow_dispatch', payload: { inputs: { version: 'v40' } } })
  expect(marks).toMatchObject([{ type: 'rollback', title: 'unknown → v40', endTime: expect.any(String) }])
})

testInRunner('release: a release and its notes', async () => {
  const release = {
    tag_name: 'v42',
    name: '',
    body: 'Sells **more**',
    html_url: 'https://github.com/acme/shop/releases/tag/v42',
    published_at: '2026-01-31T12:00:00Z',
  }
  expect(await cook('release', 'release.yml', { event: 'release', payload: { release } })).toMatchObject([
    { time: release.published_at, title: 'v42', description: 'Sells **more**', url: release.html_url },
  ])
})

testInRunner('release: a tag', async () => {
  expect(await cook('release', 'tag.yml', { payload: { ref: 'refs/tags/v42' } })).toMatchObject([
    { title: 'v42', url: 'https://github.com/acme/shop/releases/tag/v42', description: success },
  ])
})

testInRunner('manual-and-scheduled: by hand with a reason, and by the clock', async () => {
  const byHand = { event: 'workflow_dispatch', payload: { inputs: { version: 'v42', reason: 'Hotfix' } } }
  expect(await cook('manual-and-scheduled', 'deploy.yml', byHand, { event: 'schedule' })).toMatchObject([
    { type: 'production-deploy', title: 'v42', description: expect.stringMatching(/^Hotfix \(.+\)\n\nsuccess/) },
    { type: 'nightly-deploy', title: 'nightly', description: expect.stringMatching(/^By the clock/) },
  ])
})

testInRunner('workflow-run: a span for what another workflow did', async () => {
  const run = {
    id: 7001,
    conclusion: 'failure',
    run_started_at: '2026-01-31T12:00:00Z',
    updated_at: '2026-01-31T12:04:00Z',
    display_title: 'Sell more',
    html_url: 'https://github.com/acme/shop/actions/runs/7001',
  }
  const marks = await cook('workflow-run', 'mark.yml', { event: 'workflow_run', payload: { workflow_run: run } })
  expect(marks).toMatchObject([
    { type: 'failed-deploy', time: run.run_started_at, endTime: run.updated_at, title: 'Sell more', url: run.html_url },
  ])
})

testInRunner('deployment-status: a span for each environment, whoever deployed', async () => {
  const deployment = { id: 42, sha: 'a'.repeat(40), ref: 'v42', environment: 'production', created_at: '2026-01-31T12:00:00Z' }
  const report = (state: string, environment: string, created_at: string) => ({
    event: 'deployment_status',
    payload: {
      deployment: { ...deployment, id: environment.length, environment },
      deployment_status: { state, created_at, description: '', log_url: 'https://deploys.example.com/42' },
    },
  })
  const marks = await cook(
    'deployment-status',
    'mark-deployments.yml',
    report('in_progress', 'production', '2026-01-31T12:00:01Z'),
    report('failure', 'production', '2026-01-31T12:03:00Z'),
    report('success', 'production', '2026-01-31T12:04:00Z'),
    report('success', 'staging', '2026-01-31T12:05:00Z'),
  )
  const url = 'https://deploys.example.com/42'
  expect(marks.sort((a, b) => String(a.title).localeCompare(String(b.title)))).toMatchObject([
    { datasets: ['web'], type: 'deploy', title: 'shop@v42 to production', endTime: '2026-01-31T12:04:00Z', url },
    { datasets: ['web-staging'], type: 'deploy', title: 'shop@v42 to staging', endTime: '2026-01-31T12:05:00Z', url },
  ])
})

testInRunner('feature-flags: a flag of production', async () => {
  const client_payload = { flag: 'new-checkout', state: 'on', environment: 'production' }
  const marks = await cook('feature-flags', 'flags.yml', { event: 'repository_dispatch', payload: { client_payload } })
  expect(marks).toMatchObject([{ datasets: ['web', 'api'], type: 'feature-flag', title: 'new-checkout on' }])
})

testInRunner.each(['enterprise', 'pinning'])('%s: a deployment', async (recipe) => {
  expect(await cook(recipe, 'deploy.yml', {})).toMatchObject([{ datasets: ['web'], type: 'production-deploy' }])
})

testInRunner('enterprise: an older runner, which sends the mark itself', async () => {
  const marks = await cook('enterprise', 'older-runner.yml', { event: 'workflow_dispatch' })
  expect(marks).toMatchObject([{ title: 'acme/shop@main', url: 'https://github.com/acme/shop/actions/runs/1' }])
})

testInRunner('every workflow of the recipes was run above, or was called by one that was', () => {
  const workflows = recipeFiles.filter(({ path }) => path.startsWith('.github/workflows/'))
  expect(workflows.length).toBeGreaterThanOrEqual(16)
  const names = workflows.map(({ recipe, path }) => `${recipe}: ${basename(path)}`)
  expect(names.filter((name) => !cooked.has(name))).toEqual(['reusable-workflow: deploy.yml'])
})
