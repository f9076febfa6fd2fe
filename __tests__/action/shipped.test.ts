/** `githubToken`: the description says what a deployment ships, and nothing of it keeps the mark from being made. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { send } from '../support/fill.ts'
import { folderForTests, serviceForTests } from '../support/for-tests.ts'
import { freePort } from '../support/free-port.ts'
import { listen } from '../support/listen.ts'
import { startProxy } from '../support/proxy.ts'
import { runAction, runPost } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const GITHUB_TOKEN = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz'
const REPOSITORY = 'https://github.com/octo/shop'
const commit = (digit: string) => digit.repeat(40)

const service = serviceForTests()
const folder = folderForTests('event')

interface Seen {
  path: string
  authorization: string | undefined
}

/** The repository's API, which answers every comparison with this. */
async function startRepository(status: number, body: object) {
  const seen: Seen[] = []
  const server = createServer(({ url = '', headers }, response) => {
    seen.push({ path: decodeURIComponent(url), authorization: headers.authorization })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return { ...(await listen(server)), seen }
}

const authored = (login: string, message: string, date = '2026-01-31T12:00:00Z') => ({
  sha: commit('e'),
  commit: { message, author: { date } },
  author: { login },
})
const AHEAD = {
  ahead_by: 5,
  behind_by: 0,
  total_commits: 5,
  commits: [
    authored('ada', 'Round prices (#231)\n\nAs people do.'),
    authored('bea', 'Look [here](https://evil.example) <b>now</b>', '2026-01-30T10:00:00+01:00'),
    authored('bea', 'Merge pull request #232 from octo/cart\n\nKeep the cart'),
    authored('ada', 'Merge branch "main" into cart'),
    authored('', 'Speed'),
  ],
}

/** A deployment of a commit from a dataset of its own test. */
const deploy = (
  dataset: string,
  sha: string,
  api: string,
  inputs: Record<string, string> = {},
  env: Record<string, string> = {},
) =>
  runAction(
    { token: service.token, baseUrl: service.url, datasets: dataset, githubToken: GITHUB_TOKEN, ...inputs },
    { env: { GITHUB_SHA: sha, GITHUB_REF: 'refs/heads/main', GITHUB_API_URL: api, ...env } },
  )

const readStored = (run: { outputs: Record<string, string> }) => JSON.parse(run.outputs.annotation ?? '{}')

test('the first mark links to its commit, and the next one says what was shipped since', async () => {
  await using repository = await startRepository(200, AHEAD)
  const first = readStored(await deploy('first', commit('a'), repository.url))
  expect(first.description).toBe(`Commit [aaaaaaa](${REPOSITORY}/commit/aaaaaaaaaaaa)`)
  expect(repository.seen).toEqual([])

  const second = readStored(await deploy('first', commit('b'), repository.url, { description: 'By hand.' }))
  expect(second.description).toBe(
    [
      'By hand.',
      '',
      `5 commits since [aaaaaaa](${REPOSITORY}/compare/aaaaaaaaaaaa...bbbbbbbbbbbb) by ada and bea`,
      '- Keep the cart (#232)',
      '- Round prices (#231)',
      '- Speed',
      '- Look \\[here\\](https://evil.example) \\<b\\>now\\</b\\>',
      '',
      'Committed: 2026-01-30T09:00:00Z',
    ].join('\n'),
  )
  expect(repository.seen).toEqual([
    { path: `/repos/octo/shop/compare/aaaaaaaaaaaa...${commit('b')}?per_page=100`, authorization: `token ${GITHUB_TOKEN}` },
  ])
})

test('a failed deployment does not count, nor does one of another type or repository, nor this commit begun again', async () => {
  await using repository = await startRepository(200, AHEAD)
  const span = { endTime: 'job-end' }
  await deploy('failed', commit('a'), repository.url)
  const failed = await deploy('failed', commit('b'), repository.url, span)
  await runPost(
    failed,
    { token: service.token, baseUrl: service.url, datasets: 'failed', ...span },
    { job: { status: 'failure' } },
  )
  await deploy('failed', commit('c'), repository.url, { type: 'staging-deploy' })
  await deploy('failed', commit('d'), repository.url, {
    githubToken: '',
    title: 'By hand',
    description: `[x](https://github.com/other/shop/commit/${commit('c')})`,
  })
  await deploy('failed', commit('f'), repository.url)
  const again = readStored(await deploy('failed', commit('f'), repository.url))
  expect(again.description).toContain(`since [aaaaaaa](${REPOSITORY}/compare/aaaaaaaaaaaa...ffffffffffff)`)
})

test('a rollback says what is taken back, and a title with a tag is enough to compare with', async () => {
  await using repository = await startRepository(200, { ahead_by: 0, behind_by: 1, total_commits: 0, commits: [] })
  await deploy('tags', commit('a'), repository.url, { githubToken: '', title: 'shop@v1.2.0' })
  const { description } = readStored(await deploy('tags', commit('b'), repository.url))
  expect(description).toBe(`1 commit taken back since [v1.2.0](${REPOSITORY}/compare/v1.2.0...bbbbbbbbbbbb)`)
})

test("a long list is cut with its count, and the job's line still has room", async () => {
  const commits = Array.from({ length: 100 }, (_, n) => authored(`person-${n}`, `Change number ${n} ${'x'.repeat(90)}`))
  await using repository = await startRepository(200, { ahead_by: 340, behind_by: 0, total_commits: 340, commits })
  await deploy('long', commit('a'), repository.url)
  const inputs = { endTime: 'job-end', key: 'long' }
  const run = await deploy('long', commit('b'), repository.url, inputs)
  const { description } = readStored(run)
  expect(description).toMatch(
    /^340 commits since \S+ by person-0, person-1, person-2, person-3 and others\n- Change number 99 x+…\n/,
  )
  expect(description).toMatch(/\n- and more\n\nCommitted: 2026-01-31T12:00:00Z$/)
  await runPost(run, { token: service.token, baseUrl: service.url, datasets: 'long', ...inputs }, { job: { status: 'success' } })
  const { description: closed } = await send<{ description: string }>(service, 'GET', `/v2/annotations/${run.outputs.id}`)
  expect(closed.startsWith(description)).toBe(true)
  expect(closed).toMatch(/\n\nsuccess after \d+ s/)
})

test.each([
  [404, { message: 'Not Found' }, /it answered 404, Not Found.*contents: read/],
  [500, { message: 'Oops' }, /it answered 500, Oops/],
])('an answer of %i is a notice, and the mark is made without', async (status, body, said) => {
  await using repository = await startRepository(status, body)
  const dataset = `refused-${status}`
  await deploy(dataset, commit('a'), repository.url)
  const run = await deploy(dataset, commit('b'), repository.url)
  expect(run.exitCode).toBe(0)
  expect(readStored(run).description).toBe(`Commit [bbbbbbb](${REPOSITORY}/commit/bbbbbbbbbbbb)`)
  const notices = run.stdout.split('\n').filter((line) => line.startsWith('::notice::'))
  expect(notices).toEqual([expect.stringMatching(said)])
  expect(notices[0]).toContain(`aaaaaaaaaaaa...${commit('b')}`)
})

test('a repository that does not answer is a notice that says so, with its address and no status', async () => {
  const host = `127.0.0.1:${await freePort()}`
  await deploy('unreachable', commit('a'), `http://${host}`)
  const run = await deploy('unreachable', commit('b'), `http://${host}`)
  expect(run.exitCode).toBe(0)
  expect(run.stdout).toContain(`what was shipped: ${host} did not answer: connect ECONNREFUSED ${host}.`)
})

test('the repository is asked through the proxy of the runner', async () => {
  await using repository = await startRepository(200, AHEAD)
  await using proxy = await startProxy()
  const api = `http://api.shop.invalid:${new URL(repository.url).port}`
  const env = { http_proxy: proxy.url, no_proxy: '127.0.0.1' }
  await deploy('proxied', commit('a'), api, {}, env)
  const run = await deploy('proxied', commit('b'), api, {}, env)
  expect(run.stdout).not.toContain('::notice::')
  expect(readStored(run).description).toMatch(/^5 commits since/)
  expect(proxy.tunnels).toEqual([new URL(api).host])
})

test('the token is masked, and crosses to the repository alone', async () => {
  await using repository = await startRepository(200, AHEAD)
  await using scripted = await startScriptedService()
  const run = await deploy('secret', commit('a'), repository.url, { baseUrl: scripted.url })
  expect(run.masks).toContain(GITHUB_TOKEN)
  expect(JSON.stringify(scripted.requests)).not.toContain(GITHUB_TOKEN)
  expect(JSON.stringify([run.outputs, run.state, run.summary, run.log])).not.toContain(GITHUB_TOKEN)
  expect(scripted.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
})

test('of a pull request the head is linked and compared, and not its merge with the base', async () => {
  await using repository = await startRepository(200, AHEAD)
  const env = {
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
  }
  const push = async (head: string, merge: string) => {
    writeFileSync(env.GITHUB_EVENT_PATH, JSON.stringify({ pull_request: { number: 7, head: { sha: commit(head) } } }))
    return readStored(await deploy('preview', commit(merge), repository.url, {}, env))
  }
  expect(await push('a', 'c')).toMatchObject({
    title: 'shop@aaaaaaa (#7)',
    description: `Commit [aaaaaaa](${REPOSITORY}/commit/aaaaaaaaaaaa)`,
  })
  expect((await push('b', 'd')).description).toContain(`${REPOSITORY}/compare/aaaaaaaaaaaa...bbbbbbbbbbbb`)
  expect(repository.seen.map(({ path }) => path)).toEqual([expect.stringContaining(`${commit('b')}`)])
})
