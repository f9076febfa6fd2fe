/** The networks of a file are all listed, each once. */
import { expect, test } from '@jest/globals'
import { Reader } from 'mmdb-lib'
import { listNetworks } from '../../src/geo/networks.ts'
import { writeMmdb } from './mmdb.ts'

const listed = (prefixes: readonly string[]) => {
  const file = writeMmdb(prefixes.map((prefix) => ({ prefix, record: { prefix } })))
  return [...listNetworks(new Reader(file))].flatMap((network) => (network ? [network.prefix] : []))
}

test('from the first address to the last, of both kinds', () => {
  const prefixes = [
    '0.0.0.0/8',
    '9.255.255.255/32',
    '10.0.0.0/31',
    '128.0.0.0/2',
    '255.255.255.255/32',
    '2001:0200:0000:0000:0000:0000:0000:0000/23',
    '2a00:0000:0000:0000:0000:0000:0000:0000/12',
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128',
  ]
  expect(listed(prefixes)).toEqual(prefixes)
})

test('but those of IPv6 that stand for addresses of IPv4, or are none of the internet', () => {
  expect(
    listed(['2001:0000:0000:0000:0000:0000:0000:0000/32', '2002:0000:0000:0000:0000:0000:0000:0000/16', 'fe80::/10']),
  ).toEqual([])
})
