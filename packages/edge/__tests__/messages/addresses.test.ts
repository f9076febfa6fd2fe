/** A name that means another address each time it is asked for: what is checked is what is connected to. */
import type { lookup } from 'node:dns'
import { expect, test } from '@jest/globals'
import { readYaml } from '../../../../__tests__/support/read-yaml.ts'
import { createLookup } from '../../src/messages/addresses.ts'

/** A resolver that answers with one list of addresses after the other. */
function resolver(...answers: string[][]) {
  let asked = 0
  const resolve = (_: string, __: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      (answers[asked++] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  return { resolve: resolve as unknown as typeof lookup, asked: () => asked }
}

const look = (resolve: typeof lookup, all: boolean, mayBePrivate = false, name = 'name.example') =>
  new Promise((done) =>
    createLookup(mayBePrivate, resolve)(name, { all }, (error, ...found) => done(error ? error.message : found)),
  )

test('a name is resolved once, and the connection gets just the addresses that were checked', async () => {
  const rebound = resolver(['93.184.216.34'], ['127.0.0.1'])
  expect(await look(rebound.resolve, false)).toEqual(['93.184.216.34', 4])
  expect(rebound.asked()).toBe(1)
  expect(await look(rebound.resolve, false)).toContain('inside a network')
  const both = resolver(['93.184.216.34', '2606:2800:220:1::1'])
  expect(await look(both.resolve, true)).toEqual([
    [
      { address: '93.184.216.34', family: 4 },
      { address: '2606:2800:220:1::1', family: 6 },
    ],
  ])
})

const INSIDE = readYaml<[why: string, addresses: string[], name?: string][]>(import.meta.url, 'addresses.yaml')

test.each(INSIDE)('where %s, nothing is connected to', async (_, addresses, name = 'name.example') => {
  expect(await look(resolver(addresses).resolve, true, false, name)).toContain('inside a network')
  if (addresses.length > 0) expect(await look(resolver(addresses).resolve, true, true)).toHaveLength(1)
})
