/**
 * Each permission opens its endpoints and no other, and nothing does without a token.
 * Deliberately not here: which datasets a token reaches (matrix.test.ts, reach.test.ts).
 */
import type { ErrorBody } from '@deployment-annotations/contract/error-body'
import { PERMISSIONS } from '@deployment-annotations/contract/permission'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ask, type Question, tokenWith } from '../http.ts'

const service = serviceForTests()

const NEEDED = readCases<Record<string, Record<string, string>>>(import.meta.url)
const OPERATIONS = Object.entries(NEEDED).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, permission]) => ({ method, path, permission })),
)
/** One operation for each permission. */
const FIRSTS = PERMISSIONS.flatMap((one) => OPERATIONS.find(({ permission }) => permission === one) ?? [])

const answerOf = ({ method, path }: { method: string; path: string }, question: Question) =>
  ask<ErrorBody>(service, method, path.replaceAll(/\{\w+\}/g, 'absent'), question)

async function expectOnly(
  permissions: readonly string[],
  may: readonly string[] | object,
  refused: readonly object[] = FIRSTS,
): Promise<void> {
  const token = await tokenWith(service, may)
  for (const operation of OPERATIONS.filter((one) => permissions.includes(one.permission) || refused.includes(one))) {
    const { status, body } = await answerOf(operation, { token })
    if (permissions.includes(operation.permission)) {
      expect([operation, status === 403, status < 500]).toEqual([operation, false, true])
      continue
    }
    // The protocols of others have forms of their own.
    const lacked = `"token tok_[0-9a-f]{12} lacks the permission ${operation.permission.replace('|', '\\|')}"`
    expect([operation, status, JSON.stringify(body)]).toEqual([operation, 403, expect.stringMatching(lacked)])
  }
}

test('every permission opens something, and the document says of each operation which one it needs', async () => {
  expect(FIRSTS.map(({ permission }) => permission)).toEqual(PERMISSIONS)
  const { body } = await ask<{ paths: Record<string, Record<string, { description?: string }>> }>(service, 'GET', '/openapi.json')
  const said = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { description = '' }]) => {
      const [, permission] = /Needs the permission `([^`]+)`\./.exec(description) ?? []
      return permission === undefined ? [] : [{ method: method.toUpperCase(), path, permission }]
    }),
  )
  expect(said).toEqual(OPERATIONS)
})

test.each(PERMISSIONS)('a token with %s may do that and nothing else', (permission) => expectOnly([permission], [permission]))

test('a token may have no permission, several, or all', async () => {
  await expectOnly([], { orgCapabilities: { users: ['read'] } }, OPERATIONS)
  const two = ['annotations|create', 'annotations|read']
  await expectOnly(two, two)
  await expectOnly(PERMISSIONS, { kind: 'personal' })
})

test.each<[string, Record<string, string>, string]>([
  ['no header', {}, 'no token: send the header Authorization: Bearer <API_TOKEN>'],
  ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, 'not of the form Bearer'],
  ['no token in the header', { authorization: 'Bearer ' }, 'not of the form Bearer'],
  ['two tokens', { authorization: 'Bearer a b' }, 'not of the form Bearer'],
  ['an unknown token', { authorization: `Bearer xaat-${'0'.repeat(64)}` }, 'it is wrong or was revoked'],
])('%s: 401 with a challenge, whatever it would need', async (_, headers, message) => {
  for (const operation of FIRSTS) {
    const answer = await answerOf(operation, { token: null, headers })
    expect(answer).toMatchObject({ status: 401, body: { code: 401, message: expect.stringContaining(message) } })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  }
})
