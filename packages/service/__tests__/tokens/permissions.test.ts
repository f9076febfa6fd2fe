/**
 * Each permission opens its endpoints and no other, for each kind of resource that a request makes, and nothing does without a token.
 * Deliberately not here: which datasets a token reaches (matrix.test.ts, reach.test.ts).
 */
import type { Permission } from '@deployment-annotations/contract/permission'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { ask, MONITOR, tokenWith, VALID } from '../http.ts'

const service = serviceForTests()

/** What every resource has: a list, one of it that is not there, and a body that a create takes or refuses. */
function endpointsOf(resource: 'annotations' | 'monitors' | 'views' | 'integrations', path: string, body: object, made: number) {
  const one = `${path}/${{ annotations: 'ann_0', monitors: 'mon_1', views: 'view_1', integrations: 'int_1' }[resource]}`
  return [
    [`${resource}|create`, 'POST', path, body, made],
    [`${resource}|read`, 'GET', path, undefined, 200],
    [`${resource}|read`, 'GET', one, undefined, 404],
    [`${resource}|update`, 'PUT', one, {}, 404],
    [`${resource}|delete`, 'DELETE', one, undefined, 404],
  ] as const
}
const ENDPOINTS = [
  ...endpointsOf('annotations', '/v2/annotations', VALID, 201),
  ...endpointsOf('monitors', '/v2/monitors', { ...MONITOR, aplQuery: "['web'] | count", disabled: true }, 201),
  ...endpointsOf('views', '/v2/saved-views', { name: 'view', startTime: 'now-1h', endTime: 'now' }, 201),
  ...endpointsOf('integrations', '/v2/integrations', {}, 422),
  ['integrations|read', 'GET', '/v2/integrations/int_1/deliveries', undefined, 404],
  ['integrations|update', 'POST', '/v2/integrations/int_1/regenerate', {}, 404],
  // It is refused before its body is read.
  ['apiTokens|create', 'POST', '/v2/tokens', '{', 400],
  ['apiTokens|read', 'GET', '/v2/tokens', undefined, 200],
  ['apiTokens|read', 'GET', '/v2/tokens/tok_0', undefined, 404],
  ['apiTokens|update', 'POST', '/v2/tokens/tok_0/regenerate', { existingTokenExpiresAt: '2026-01-01T00:00:00Z' }, 404],
  ['apiTokens|delete', 'DELETE', '/v2/tokens/tok_0', undefined, 404],
] as const

async function expectOnly(permissions: readonly Permission[]): Promise<void> {
  const token = await tokenWith(service, permissions)
  for (const [needed, method, path, body, status] of ENDPOINTS) {
    const answer = await ask<{ message?: string }>(service, method, path, { body, token })
    const asked = `${method} ${path}`
    if (permissions.includes(needed)) expect([asked, answer.status]).toEqual([asked, status])
    else {
      const message = expect.stringMatching(
        new RegExp(`^token tok_[0-9a-f]{12} lacks the permission ${needed.replace('|', '\\|')}$`),
      )
      expect([asked, answer.status, answer.body]).toEqual([asked, 403, { code: 403, message }])
    }
  }
}

test.each([...new Set<Permission>(ENDPOINTS.map(([needed]) => needed)), 'query|read', 'ingest|create'] as Permission[])(
  'a token with %s may do that and nothing else',
  (permission) => expectOnly([permission]),
)

test('a token may have several permissions, and a personal one may do everything', async () => {
  await expectOnly(['annotations|create', 'annotations|read'])
  const token = await tokenWith(service, { kind: 'personal' })
  for (const [, method, path, body, status] of ENDPOINTS) {
    expect([method, path, (await ask(service, method, path, { body, token })).status]).toEqual([method, path, status])
  }
})

test.each<[string, Record<string, string>, string]>([
  ['no header', {}, 'no token: send the header Authorization: Bearer <API_TOKEN>'],
  ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, 'not of the form Bearer'],
  ['no token in the header', { authorization: 'Bearer ' }, 'not of the form Bearer'],
  ['two tokens', { authorization: 'Bearer a b' }, 'not of the form Bearer'],
  ['an unknown token', { authorization: `Bearer xaat-${'0'.repeat(64)}` }, 'it is wrong or was revoked'],
])('%s: 401 with a challenge, on every endpoint', async (_, headers, message) => {
  for (const [, method, path] of ENDPOINTS) {
    const answer = await ask(service, method, path, { token: null, headers })
    expect(answer).toMatchObject({ status: 401, body: { code: 401, message: expect.stringContaining(message) } })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  }
})
