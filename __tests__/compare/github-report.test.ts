/** The step `compare` tells its verdict on the pull request, once, and what GitHub answers never decides over the job unless asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test } from '@jest/globals'
import { freePort } from '../support/free-port.ts'
import { listen } from '../support/listen.ts'
import { runCompare } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'
import { answerOf, QUERY, TIME } from './hosted-answer.ts'

const SHA = 'c'.repeat(40)

interface Comment {
  id: number
  body: string
}

/** GitHub's API, with the comments that it has. @param refuse says what becomes of a request, where it is refused */
async function startGithub(
  refuse: (request: IncomingMessage, count: number) => [number, Record<string, string>?] | undefined = () => undefined,
) {
  const comments: Comment[] = [{ id: 1, body: 'Nice.' }]
  const statuses: { state: string; description: string }[] = []
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    asked.push(`${request.method} ${request.url}`)
    const refusal = refuse(request, asked.length)
    if (refusal) return void response.writeHead(refusal[0], refusal[1]).end('{"message":"no"}')
    respond(request, response, text === '' ? {} : JSON.parse(text))
  })
  function respond(
    { method, url = '' }: IncomingMessage,
    response: ServerResponse,
    body: { body?: string; state?: string; description?: string },
  ) {
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const id = Number(/\/issues\/comments\/(\d+)/.exec(url)?.[1] ?? 0)
    const at = comments.findIndex((one) => one.id === id)
    if (url.includes('/pulls')) return send(200, [{ number: 7, merge_commit_sha: SHA, merged_at: TIME }])
    if (url.includes('/statuses') && method === 'GET') return send(200, statuses.slice(-1))
    if (url.includes('/statuses'))
      return send(201, statuses.push({ state: body.state ?? '', description: body.description ?? '' }))
    if (method === 'GET') return send(200, comments)
    if (method === 'PATCH') comments[at] = { id, body: body.body ?? '' }
    if (method === 'DELETE') comments.splice(at, 1)
    if (method === 'POST') comments.push({ id: comments.length + 1, body: body.body ?? '' })
    return method === 'DELETE' ? response.writeHead(204).end() : send(200, {})
  }
  return { ...(await listen(server)), comments, statuses, asked }
}

async function compare(api: string, failedAfter: number, inputs: Record<string, string> = {}, env: Record<string, string> = {}) {
  await using service = await startScriptedService({
    POST: () => answerOf(failedAfter),
    GET: () => ({ status: 200, body: '[]' }),
  })
  const given = {
    token: 'xaat-1',
    time: TIME,
    seasons: 'none',
    queries: QUERY,
    baseUrl: service.url,
    githubToken: 'ghs_secret1234',
  }
  return await runCompare(
    { ...given, ...inputs },
    {
      env: {
        GITHUB_API_URL: api,
        GITHUB_REPOSITORY: 'octo/shop',
        GITHUB_SHA: SHA,
        GITHUB_REF: 'refs/heads/main',
        GITHUB_JOB: 'deploy',
        ...env,
      },
    },
  )
}

test.concurrent('writes one comment on the pull request that brought the commit, keeps it up to date, and sets the status', async () => {
  await using github = await startGithub()
  const first = await compare(github.url, 12, { deploymentId: '42' })
  expect(first).toMatchObject({ exitCode: 0, outputs: { verdict: 'worse' } })
  expect(github.comments).toHaveLength(2)
  const { headline } = JSON.parse(first.outputs.comparison ?? '')
  expect(github.comments[1]?.body).toMatch(/^<!-- deployment-annotations compare \S+ -->\n### 🔴 /)
  expect(github.comments[1]?.body).toContain(`: ${headline}\n`)
  expect(github.statuses).toMatchObject([{ state: 'failure', description: headline }])
  await compare(github.url, 0, { deploymentId: '42' })
  await compare(github.url, 0, { deploymentId: '42' })
  expect(github.comments).toHaveLength(2)
  expect(github.comments[1]?.body).not.toContain('🔴')
  expect(github.statuses).toMatchObject([{ state: 'failure' }, { state: 'success' }])
  expect(github.asked[0]).toBe(`GET /repos/octo/shop/commits/${SHA}/pulls`)
})

test.concurrent('of two comments that two runs made at a time one stays, and another job has its own', async () => {
  await using github = await startGithub()
  await compare(github.url, 0)
  github.comments.push({ id: 9, body: github.comments[1]?.body ?? '' })
  await compare(github.url, 12)
  expect(github.comments.map(({ id }) => id)).toEqual([1, 2])
  await compare(github.url, 0, {}, { GITHUB_JOB: 'canary' })
  expect(github.comments).toHaveLength(3)
  await compare(github.url, 0, {}, { GITHUB_REF: 'refs/pull/7/merge' })
  expect(github.asked.filter((one) => one.includes('/pulls'))).toHaveLength(3)
})

test.concurrent.each([
  ['403', [403], 'pull-requests: write'],
  ['404', [404], 'pull-requests: write'],
  ['429 for an hour', [429, { 'retry-after': '3600' }], 'answered 429'],
  ['500', [500], 'answered 500'],
  ['No answer', undefined, 'did not answer: connect ECONNREFUSED'],
] as const)('%s of GitHub is a warning, and fails the job where that was asked', async (_, answer, message) => {
  await using github = await startGithub(() => answer && [answer[0], answer[1] ?? {}])
  const url = answer === undefined ? `http://127.0.0.1:${await freePort()}` : github.url
  const run = await compare(url, 0)
  expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: 'better' } })
  expect(run.warnings).toEqual([expect.stringContaining(message)])
  expect(await compare(url, 0, { requireGithub: 'true' })).toMatchObject({
    exitCode: 1,
    errors: [expect.stringContaining(message)],
  })
})

test.concurrent('a limit that passes is waited for', async () => {
  await using github = await startGithub((_, count) => (count === 2 ? [403, { 'retry-after': '1' }] : undefined))
  expect((await compare(github.url, 0)).warnings).toEqual([])
  expect(github.comments).toHaveLength(2)
})

test.concurrent('without a token GitHub is not asked', async () => {
  await using github = await startGithub()
  await compare(github.url, 12, { githubToken: '' })
  expect(github.asked).toEqual([])
})
