import { expect, test } from '@jest/globals'
import { createRequestTimes, createRowIds } from '../src/rows/row-ids.ts'

const NOW = 1_800_000_000_000
/** A lease that nobody renews but the test. */
const leaseOf = (node: number, startMs = 0) => ({ node, startMs, reservedMs: Number.POSITIVE_INFINITY, usedMs: 0 })
const LOST = { code: 'unavailable', status: 503, headers: { 'retry-after': '2' } }

test('row ids grow strictly, also when the clock is set back and the process starts anew', () => {
  let now = NOW
  let last = -1n
  for (let life = 0; life < 5; life++) {
    const ids = createRowIds(leaseOf(3, Number(last >> 22n) + 1), () => now)
    const wrong: bigint[] = []
    for (let i = 0; i < 10_000; i++) {
      const id = ids.next()
      if (id <= last || ((id >> 12n) & 1_023n) !== 3n) wrong.push(id)
      last = id
      if (i % 1_000 === 0) now -= 50_000
    }
    expect(wrong).toEqual([])
  }
})

test('no row id and no time of a request is given out beyond the reserve, and both are again once it is moved', () => {
  const lease = { node: 3, startMs: 0, reservedMs: NOW + 2, usedMs: 0 }
  const [ids, times] = [createRowIds(lease, () => NOW), createRequestTimes(lease, () => NOW)]
  const idsUntilRefused = untilRefused(() => Number(ids.next() >> 22n))
  const timesUntilRefused = untilRefused(() => Number(times.next().slice(0, -6)))
  expect([new Set(idsUntilRefused), new Set(timesUntilRefused)]).toEqual([new Set([NOW, NOW + 1]), new Set([NOW, NOW + 1])])
  expect([idsUntilRefused.length, timesUntilRefused.length]).toEqual([2 * 4_096, 2 * 976])
  lease.reservedMs = NOW + 10
  expect([ids.next() >> 22n, times.next().slice(0, -6)]).toEqual([BigInt(NOW + 2), String(NOW + 2)])
})

test('a lease that was lost ends both, and the next one begins above all that its number was used for', () => {
  const lease = { ...leaseOf(3) }
  const [ids, times] = [createRowIds(lease, () => NOW), createRequestTimes(lease, () => NOW)]
  ids.next()
  times.next()
  Object.assign(lease, { reservedMs: 0 })
  expect(() => times.next()).toThrow(expect.objectContaining(LOST))
  // What is left of the millisecond was reserved, and is nobody else's.
  expect(untilRefused(() => ids.next())).toHaveLength(4_095)
  Object.assign(lease, leaseOf(900, NOW + 20_000))
  expect(ids.next()).toBe((BigInt(NOW + 20_000) << 22n) | (900n << 12n))
  expect(times.next()).toBe(`${NOW + 20_000}000900`)
})

test('times of requests are unique over nodes and grow strictly on each, also when the clock is set back', () => {
  let now = NOW
  const nodes = [0, 1, 512, 1_023].map((node) => createRequestTimes(leaseOf(node), () => now))
  const seen = new Set<string>()
  const last = nodes.map(() => 0n)
  const wrong: string[] = []
  for (let i = 0; i < 3_000; i++) {
    for (const [index, times] of nodes.entries()) {
      const time = times.next()
      if (BigInt(time) <= (last[index] as bigint) || time.length !== 19) wrong.push(time)
      last[index] = BigInt(time)
      seen.add(time)
    }
    if (i % 400 === 399) now += i % 800 === 799 ? -3 : 2
  }
  expect([wrong, seen.size]).toEqual([[], 4 * 3_000])
})

test('a time of a request is of the millisecond in which it came', () => {
  const times = createRequestTimes(leaseOf(7), () => NOW)
  expect([times.next(), times.next()]).toEqual([`${NOW}000007`, `${NOW}001031`])
})

/** What `next` returned before it refused. */
function untilRefused<T>(next: () => T): T[] {
  const all: T[] = []
  try {
    while (all.length < 20_000) all.push(next())
  } catch (error) {
    expect(error).toMatchObject(LOST)
  }
  return all
}
