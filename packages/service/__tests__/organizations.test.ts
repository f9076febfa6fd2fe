import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { ask } from './http.ts'

const service = serviceForTests()

test('there is one organization, which is listed and read', async () => {
  const { body } = await ask<{ id: string }[]>(service, 'GET', '/v2/orgs')
  expect(body).toEqual([expect.objectContaining({ id: 'self-hosted', role: 'owner', paymentStatus: 'na' })])
  expect(await ask(service, 'GET', '/v2/orgs/self-hosted')).toMatchObject({ status: 200, body: body[0] })
  expect(await ask(service, 'GET', '/v2/orgs/mine')).toMatchObject({
    status: 404,
    body: { message: 'organization "mine" not found; there is one, "self-hosted"' },
  })
  expect((await ask(service, 'GET', '/v2/orgs', { token: null })).status).toBe(401)
})

test.each([
  ['POST', '/v2/dashboards', 'dashboards'],
  ['GET', '/v2/views', 'queries that are read like datasets'],
  ['GET', '/v2/users', 'users and roles'],
  ['GET', '/v2/rbac/roles', 'users and roles'],
  ['POST', '/v1/query/_mpl', 'queries of metrics'],
])('%s %s: 404 that says what this service does not have', async (method, path, what) => {
  const { status, body } = await ask<{ message: string }>(service, method, path)
  expect([status, body.message]).toEqual([
    404,
    expect.stringMatching(`not found: this service does not have ${what}.*; docs/compatibility.md lists what it has`),
  ])
})
