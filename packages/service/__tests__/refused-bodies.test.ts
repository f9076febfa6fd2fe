/**
 * What a create and a change refuse, and why: `refused-bodies.txt` has, below each endpoint and a body that it takes, members that it does
 * not take, with the code and the message. `"x×9"` stands for nine of that character. Nothing of a refused body is kept. To record after a
 * wanted change: `UPDATE_GOLDENS=1 npm test -- packages/service/__tests__/refused-bodies`; read the difference.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { ErrorBody } from '@deployment-annotations/contract/error-body'
import { afterAll, expect, test } from '@jest/globals'
import { serviceWithEvents } from '../../../__tests__/support/for-tests.ts'
import { ask } from './http.ts'

const FILE = new URL('refused-bodies.txt', import.meta.url)

const service = serviceWithEvents({ web: [{ status: 200, path: '/' }] })

let endpoint = ''
const cases = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n\n')
  .map((block) => {
    const [first = '', expected] = block.split('\n')
    if (expected === undefined) endpoint = first
    return { endpoint, members: expected === undefined ? '' : first, expected }
  })

const found: string[] = []
afterAll(() => {
  if (process.env.UPDATE_GOLDENS === '1') writeFileSync(FILE, `${found.join('\n\n')}\n`)
})

function parse(text: string): object {
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(/(.)×(\d+)$/u, (_, letter: string, count) => letter.repeat(Number(count))) : value,
  )
}

/** On one line, with long runs of one character as they are sent. */
function explain({ status, body }: { status: number; body: ErrorBody }): string {
  const message = body.message?.replaceAll('\n', '\\n').replace(/(.)\1{40,}/gu, (run, letter) => `${letter}×${[...run].length}`)
  return `${status} ${body.code} ${message}`
}

test.each(cases)('$endpoint: $members', async ({ endpoint, members, expected }) => {
  const [, methods, path = '', valid = ''] = /^(POST and PUT|POST) (\S+) (.*)$/.exec(endpoint) ?? []
  const send = (method: string, to: string, body: object) => ask<ErrorBody & { id: string }>(service, method, to, { body })
  if (members === '') {
    found.push(endpoint)
    return expect((await send('POST', path, parse(valid))).status).toBeLessThan(300)
  }
  const refused = parse(members)
  const before = (await ask(service, 'GET', path)).body
  const answer = explain(await send('POST', path, Array.isArray(refused) ? refused : { ...parse(valid), ...refused }))
  found.push(`${members}\n${answer}`)
  expect(answer).toBe(expected)
  expect((await ask(service, 'GET', path)).body).toEqual(before)
  if (methods === 'POST') return
  const { body: made } = await send('POST', path, parse(valid))
  // With a type a change is of the whole monitor.
  const change = 'type' in refused ? { ...made, ...refused } : refused
  expect(explain(await send('PUT', `${path}/${made.id}`, change))).toBe(expected)
  expect((await ask(service, 'GET', `${path}/${made.id}`)).body).toEqual(made)
  await ask(service, 'DELETE', `${path}/${made.id}`)
})
