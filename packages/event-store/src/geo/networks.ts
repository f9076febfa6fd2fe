/**
 * Lists the networks of a geographic database, a file in MaxMind's format. The library only looks up single addresses; here one network
 * after the other is looked up, which lists them all.
 * Deliberately not here: IPv6 addresses that stand for IPv4 ones (6to4, Teredo), because the file repeats all of IPv4 for each.
 */
import type { Reader, Response } from 'mmdb-lib'

interface Network {
  /** `192.0.2.0/24` */
  prefix: string
  /** The data of the file; networks with the same data share the object. */
  record: unknown
}

/** @returns all networks with data in the file, in order; none is within another */
export function* listNetworks(reader: GeoReader): Generator<Network | undefined, void> {
  yield* listRange(reader, IPV4)
  if (reader.metadata.ipVersion === 6) for (const range of GLOBAL_IPV6) yield* listRange(reader, range)
}

export type GeoReader = Pick<Reader<Response>, 'getWithPrefixLength' | 'metadata'>

interface Range {
  bits: 32n | 128n
  from: bigint
  /** The first address after the range. */
  to: bigint
  write(address: bigint): string
}

const IPV4: Range = { bits: 32n, from: 0n, to: 1n << 32n, write: writeIpv4 }

/** `2000::/3`, which has all assigned addresses, without Teredo (`2001::/32`) and 6to4 (`2002::/16`). */
const GLOBAL_IPV6: readonly Range[] = [
  [0x2000n << 112n, 0x2001n << 112n],
  [0x20010001n << 96n, 0x2002n << 112n],
  [0x2003n << 112n, 0x4000n << 112n],
].map(([from = 0n, to = 0n]) => ({ bits: 128n, from, to, write: writeIpv6 }))

/** Yields `undefined` for a network without data, so that the caller can yield the event loop there too. */
function* listRange(reader: GeoReader, { bits, from, to, write }: Range): Generator<Network | undefined, void> {
  for (let address = from; address < to; ) {
    const [record, length] = reader.getWithPrefixLength(write(address))
    const rest = bits - BigInt(length)
    const first = (address >> rest) << rest
    yield record === null ? undefined : { prefix: `${write(first)}/${length}`, record }
    address = first + (1n << rest)
  }
}

function writeIpv4(address: bigint): string {
  const number = Number(address)
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
}

function writeIpv6(address: bigint): string {
  return address
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{4})(?!$)/g, '$1:')
}
