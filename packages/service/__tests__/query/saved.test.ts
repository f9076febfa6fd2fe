import { expect, test } from '@jest/globals'
import { serviceWithEvents } from '../../../../__tests__/support/for-tests.ts'
import { ask, tokenWith } from '../http.ts'

const service = serviceWithEvents({ web: [{ n: 1 }] })

const ID_HEADER = 'x-axiom-history-query-id'

async function save(path: string, body: object, token?: string): Promise<string> {
  const { status, headers } = await ask(service, 'POST', path, { body, token })
  expect(status).toBe(200)
  return headers.get(ID_HEADER) ?? ''
}

test.each([
  ['/v1/datasets/_apl?saveAsKind=apl', { apl: "['web'] | count", startTime: 'now-1h' }, 'apl'],
  ['/v1/datasets/web/query?saveAsKind=stream', { filter: { op: '>', field: 'n', value: 0 } }, 'stream'],
])('a query that is saved is found under the id of its answer (%s)', async (path, query, kind) => {
  const id = await save(path, query)
  const { status, body } = await ask(service, 'GET', `/v1/datasets/_history/${id}`)
  expect({ status, body }).toEqual({
    status: 200,
    body: { id, kind, dataset: 'web', who: 'tok_operator', created: expect.any(String), query },
  })
})

test('a query that is not to be saved, or that failed, has no id', async () => {
  const apl = "['web']"
  const asked = [
    await ask(service, 'POST', '/v1/datasets/_apl', { body: { apl } }),
    await ask(service, 'POST', '/v1/datasets/_apl?saveAsKind=apl', { body: { apl: "['nothing']" } }),
    await ask(service, 'POST', '/v1/datasets/_apl?saveAsKind=other', { body: { apl } }),
  ]
  expect(asked.map(({ status, headers }) => [status, headers.get(ID_HEADER)])).toEqual([
    [200, null],
    [404, null],
    [400, null],
  ])
})

test('an id that nobody was given is not found, and a token sees what it asked itself', async () => {
  const unknown = await ask(service, 'GET', `/v1/datasets/_history/qry_${'0'.repeat(24)}`)
  expect(unknown).toMatchObject({ status: 404, body: { message: expect.stringContaining('not found') } })
  const token = await tokenWith(service, ['query|read'])
  const [mine, theirs] = [
    await save('/v1/datasets/_apl?saveAsKind=apl', { apl: "['web']" }),
    await save('/v1/datasets/_apl?saveAsKind=apl', { apl: "['web']" }, token),
  ]
  const see = async (id: string, by?: string) => (await ask(service, 'GET', `/v1/datasets/_history/${id}`, { token: by })).status
  expect([await see(mine), await see(theirs), await see(mine, token), await see(theirs, token)]).toEqual([200, 200, 404, 200])
})
