import { expect, test } from '@jest/globals'
import { callsOn, requestOf } from '../src/call.ts'

test('a call becomes a request: its path filled in, then what it takes, then options', () => {
  const call = { call: 'POST /v2/tokens/{id}/regenerate', takes: 'body' } as const
  const [body, options] = [{ name: 'next' }, { timeoutMs: 1 }]
  expect(requestOf(call, ['tok_1', body, options])).toEqual({
    method: 'POST',
    path: '/v2/tokens/tok_1/regenerate',
    body,
    options,
  })
  expect(requestOf({ ...call, member: 'name' }, ['tok_1', 'next'])).toMatchObject({ path: '/v2/tokens/tok_1/regenerate', body })
  expect(requestOf({ call: 'GET /v2/tokens' }, [options])).toEqual({ method: 'GET', path: '/v2/tokens', options })
})

test('what names an item is one segment of the path, whatever its characters', () => {
  expect(requestOf(callsOn('/v2/monitors').get, ['../a?b/c'])).toMatchObject({ path: '/v2/monitors/..%2Fa%3Fb%2Fc' })
  const call = { call: 'DELETE /v2/datasets/{name}/map-fields/{field}' } as const
  expect(requestOf(call, ['a$&', '{field}'])).toMatchObject({ path: '/v2/datasets/a%24%26/map-fields/%7Bfield%7D' })
})
