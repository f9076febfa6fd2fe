/**
 * Queries that are wrong: what the answer says, where it points, and that hostile text does nothing but be text.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { serviceWithEvents } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ALWAYS, apl, ingest, legacy, post } from './ask.ts'

const CASES = readCases<{
  detail: object
  queries: [what: string, text: string, errorType: string][]
  bodies: [what: string, body: string, status: number][]
  legacy: [members: object, message: string][]
}>(import.meta.url)

const service = serviceWithEvents({ web: [{ status: 200, path: '/a' }], canary: [{ secret: 'tweet' }] })

test('an error names its line and column, shows the place with a caret, and hints', async () => {
  const { status, body } = await apl(service, "['web']\n| where statsu == 200")
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 400, detail: CASES.detail })
  expect(body.message).toContain('| where statsu == 200\n        ^^^^^^')
  expect(body.message).toMatch(/status/)
})

test.each([
  ...CASES.queries,
  ['two thousand brackets', `['web'] | where ${'('.repeat(2_000)}1${')'.repeat(2_000)}`, 'limit'],
  ['70,000 characters', `['web'] | where path == "${'x'.repeat(70_000)}"`, 'limit'],
])('a query that cannot be compiled is a 400 with its place: %s', async (_, text, errorType) => {
  const { status, body } = await apl(service, text)
  expect([status, body.code, body.detail?.errorType]).toEqual([400, 400, errorType])
  expect(body.detail).toMatchObject({ line: expect.any(Number), column: expect.any(Number), message: expect.any(String) })
})

test('an unknown dataset is a 404 through either door', async () => {
  const unknown = await apl(service, "['wbe'] | count")
  expect([unknown.status, unknown.body.code]).toEqual([404, 404])
  expect(unknown.body.message).toContain('dataset "wbe" not found')
  expect((await legacy(service, 'wbe')).status).toBe(404)
  expect((await legacy(service, 'w%20b')).status).toBe(404)
})

test.each([...CASES.bodies, ['JSON is very deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400]])(
  '%s: refused with a reason',
  async (_, body, expected) => {
    const { status, body: answer } = await post(service, '/v1/datasets/_apl', body)
    expect([status, answer.message.length > 10]).toEqual([expected, true])
  },
)

test('an unknown format is refused, naming those that exist', async () => {
  const { status, body } = await apl(service, "['web']", {}, 'csv')
  expect([status, body.message]).toEqual([400, 'format must be tabular or legacy, got "csv"'])
})

test.each(CASES.legacy)('a legacy body that is wrong says what: %j', async (members, message) => {
  const { status, body } = await legacy(service, 'web', members)
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
})

/** Each tries to end a string, a name or a parameter and to read the canary, or to make the engine stumble. */
const HOSTILE = JSON.parse(readFileSync(new URL('hostile.json', import.meta.url), 'utf8')) as readonly string[]

const quoteApl = (text: string) => JSON.stringify(text)

test('hostile text in any opening is text: nothing leaks, nothing breaks', async () => {
  const range = ALWAYS
  for (const text of HOSTILE) {
    const literal = quoteApl(text)
    const openings: [string, Promise<{ status: number; text: string; body: { matches?: unknown[] } }>, number[]][] = [
      ['dataset', apl(service, `[${literal}] | limit 1`), [400, 404]],
      ['field', apl(service, `['web'] | where [${literal}] == 1`), [400]],
      ['literal', apl(service, `['web'] | where path == ${literal}`), [200]],
      ['list', apl(service, `['web'] | where path in ("b", ${literal})`), [200]],
      ['column', apl(service, `['web'] | project [${literal}] = 1 | limit 1`), [200, 400]],
      ['let', apl(service, `let v = ${literal}; ['web'] | where path == v`), [200]],
      ['variable', apl(service, "['web'] | where path == v", { variables: { v: text } }), [200]],
      ['name of a variable', apl(service, "['web'] | where path == 'x'", { variables: { [text]: 'x' } }), [200, 400]],
      ['regex', apl(service, `['web'] | where path matches regex ${literal}`), [200, 400]],
      ['cursor', apl(service, "['web'] | sort by _time asc", { cursor: text }), text === '' ? [200] : [400]],
      ['startTime', apl(service, "['web']", { startTime: text }), text === '' ? [200] : [422]],
      ['path', post(service, `/v1/datasets/${encodeURIComponent(text)}/query`, range), [400, 404]],
      ['value', legacy(service, 'web', { filter: { op: '==', field: 'path', value: text } }), [200]],
      ['contains', legacy(service, 'web', { filter: { op: 'contains', field: 'path', value: text } }), [200]],
      ['filter field', legacy(service, 'web', { filter: { op: '==', field: text, value: 1 } }), [400]],
      ['alias', legacy(service, 'web', { aggregations: [{ op: 'count', field: '*', alias: text }] }), [200, 400]],
      ['groupBy', legacy(service, 'web', { groupBy: [text] }), [400]],
      ['order', legacy(service, 'web', { order: [{ field: text, desc: true }] }), [400]],
    ]
    for (const [opening, asked, expected] of openings) {
      const answer = await asked
      if (!expected.includes(answer.status))
        throw new Error(`${opening} ${JSON.stringify(text)}: ${answer.status} ${answer.text}`)
      expect(answer.text).not.toContain('tweet')
      // Equal to the path of no event: a condition that was let out of its place would find one.
      if (answer.status === 200 && ['literal', 'list', 'let', 'variable', 'value'].includes(opening)) {
        expect([opening, text, answer.body.matches]).toEqual([opening, text, []])
      }
    }
  }
  expect((await apl(service, "['canary'] | count")).body.tables[0]?.columns).toEqual([[1]])
  expect((await apl(service, "['web'] | count")).body.tables[0]?.columns).toEqual([[1]])
})

test('any text that was stored is found again by it, and by nothing near it', async () => {
  const texts = HOSTILE.filter((text) => text !== '').map((text, n) => ({ text, n }))
  await ingest(service, 'texts', texts)
  for (const { text, n } of texts) {
    const { body } = await apl(service, `['texts'] | where text == ${quoteApl(text)} | project n, text`)
    expect(body.matches.map(({ data }) => data)).toEqual([{ n, text }])
  }
})

test('fields with hostile names are read, grouped and answered under their names', async () => {
  const names = HOSTILE.filter((text) => text !== '' && !/[.\\]/.test(text)).map((text) => `n${text}`)
  await ingest(service, 'names', [Object.fromEntries(names.map((name, n) => [name, n]))])
  const { body } = await apl(service, "['names']")
  expect(Object.keys(body.matches[0]?.data ?? {}).sort()).toEqual([...names].sort())
  for (const [n, name] of names.entries()) {
    const found = await apl(service, `['names'] | where [${quoteApl(name)}] == ${n} | summarize count() by [${quoteApl(name)}]`)
    expect([name, found.body.tables[0]?.columns]).toEqual([name, [[n], [1]]])
  }
})

test('a body that is nested too deeply is refused at both endpoints', async () => {
  const deep = (levels: number) =>
    `{"apl":"['web']","startTime":"now-1h","endTime":"now","x":${'['.repeat(levels)}${']'.repeat(levels)}}`
  for (const path of ['/v1/datasets/_apl', '/v1/datasets/web/query']) {
    const { status, body } = await post(service, path, deep(100_000))
    expect([status, body.message]).toEqual([400, 'the body is not JSON: it is nested too deeply'])
    expect((await post(service, path, deep(900))).status).toBe(200)
  }
})
