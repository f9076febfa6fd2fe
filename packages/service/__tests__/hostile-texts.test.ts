/**
 * Texts on which a search may take the square or the cube of their length: one such request kept a service from everybody for minutes.
 */
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { ask } from './http.ts'

const service = serviceForTests()
beforeAll(async () => {
  await ask(service, 'POST', '/v2/datasets', { body: { name: 'web' } })
})

/** All of these are answered in less than a second; searches of that kind take a minute and more. */
const ANSWER_MS_MAX = 10_000

const blanks = (count: number) => ' '.repeat(count)
const query = (apl: string): [string, object] => ['/v1/datasets/_apl?format=tabular', { apl }]
const template = (body: string) => ({ name: 'x', properties: { customWebhook: { url: 'http://example.com', body } } })

test.each<[what: string, request: [path: string, body: unknown], status: number]>([
  ['a query with blanks in a time', query(`['web'] | where _time > datetime(1${blanks(65_000)}x`), 400],
  ['a query with digits that are no number', query(`['web'] | extend x = 1 | where x == '${'1'.repeat(65_000)}x'`), 200],
  ['a notifier with blanks in a place', ['/v2/notifiers', template(`{{${blanks(16_000)}`)], 422],
  ['an event with a number of a million digits', ['/v1/ingest/web', `[{"a":1.${'0'.repeat(1_000_000)}1}]`], 200],
])('%s is answered at once', async (_, [path, body], status) => {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  })
  expect([response.status, (await response.text()).slice(0, 200)]).toEqual([status, expect.anything()])
})
