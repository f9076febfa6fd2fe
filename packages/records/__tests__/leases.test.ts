/**
 * Leases and versions: what services that share records know of each other. Waiting is real, and short.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { newId } from '../../service/src/wire/ids.ts'
import { RecordCaches } from '../src/database/record-caches.ts'
import type { Records } from '../src/database/records.ts'
import { raiseVersion } from '../src/database/versions.ts'
import { LEASE_MS, Lease } from '../src/leases/leases.ts'
import { NodeLease } from '../src/leases/node-lease.ts'
import { DividedShare } from '../src/leases/shares.ts'
import { usePlaces } from './places.ts'

/** The highest number of a service. */
const NODE_MAX = 1_023
const places = usePlaces()
const SHORT = { leaseMs: 400, renewMs: 100 }

/** Records that can be made to be away. */
function breakable(records: Records) {
  let isAway = false
  const wrapped: Records = {
    ...records,
    transaction: (work) => (isAway ? Promise.reject(new Error('away')) : records.transaction(work)),
  }
  return {
    records: wrapped,
    setAway(away: boolean) {
      isAway = away
    },
  }
}

places.each((at) => {
  test('a lease has one holder, and another when it was given up or has run out', async () => {
    const first = new Lease(at.records, 'work', SHORT)
    const second = new Lease(await at.again(), 'work', SHORT)
    expect([await first.tryAcquire(), await second.tryAcquire()]).toEqual([true, false])
    await first[Symbol.asyncDispose]()
    expect([first.isHeld, await second.tryAcquire()]).toEqual([false, true])
    await sleep(SHORT.leaseMs + 50)
    expect(second.isHeld).toBe(false)
    expect(await first.tryAcquire()).toBe(true)
  })

  test('of many that want one at the same moment, one gets it', async () => {
    const services = [at.records, await at.again(), await at.again()]
    for (let round = 0; round < 20; round++) {
      const leases = Array.from({ length: 9 }, (_, i) => new Lease(services[i % 3] as Records, `work ${round}`))
      const got = await Promise.all(leases.map((lease) => lease.tryAcquire()))
      expect(got.filter(Boolean)).toHaveLength(1)
    }
  })

  test('services have fair shares, never two the same id, and all of the ids soon after one comes, goes or is cut off', async () => {
    const { records, setAway } = breakable(at.records)
    const shares = [records, await at.again(), await at.again()].map((each) => new DividedShare(each, 'work', SHORT))
    const [first, second, third] = shares as [DividedShare, DividedShare, DividedShare]
    const ids = Array.from({ length: 640 }, () => newId('monitor', Date.now()))
    const settle = async (fairMin: number, living: readonly DividedShare[]) => {
      for (const from = performance.now(); ; await sleep(5)) {
        const holders = ids.map((id) => shares.filter((share) => share.has(id)).length)
        expect(Math.max(...holders)).toBeLessThanOrEqual(1)
        const parts = living.map((share) => ids.filter((id) => share.has(id)).length)
        if (Math.min(...holders) === 1 && Math.min(...parts) >= fairMin) break
        // What has run out is taken at the next renewal, and what is too much given up at one after that.
        expect(performance.now() - from).toBeLessThan(SHORT.leaseMs + 10 * SHORT.renewMs)
      }
    }
    first.keep()
    second.keep()
    await settle(250, [first, second])
    third.keep()
    await settle(150, shares)
    const values = sql.join(ids.map((id) => sql`(${id})`))
    const all = sql`(select column1 as id from (values ${values}) as one) as every`
    const asked = await sql<{ id: string }>`select id from ${all} where ${third.isOurs}`.execute(at.records.read)
    expect(asked.rows.map(({ id }) => id).sort()).toEqual(ids.filter((id) => third.has(id)).sort())
    setAway(true)
    await settle(250, [second, third])
    await third[Symbol.asyncDispose]()
    const leases = await at.records.read.selectFrom('leases').select('holder').where('name', 'like', 'work/%').execute()
    expect(leases.map(({ holder }) => holder)).not.toContain(third.holder)
    await settle(640, [second])
    await Promise.all([first, second].map((share) => share[Symbol.asyncDispose]()))
  })

  test('each service has a number of its own, above every time that its earlier holders used', async () => {
    const services = [at.records, await at.again(), await at.again()]
    const nodes = await Promise.all(services.map((records) => NodeLease.acquire({ ...SHORT, records })))
    expect(nodes.map(({ node }) => node).sort()).toEqual([0, 1, 2])
    // The numbers that nobody has ever had come first; with none of these left, one is used again, above its mark.
    const others = Array.from({ length: NODE_MAX - 2 }, (_, i) => ({ name: `node/${i + 3}`, holder: '', expires_at_ms: 0n }))
    await at.records.transaction((db) =>
      db
        .insertInto('leases')
        .values(others.map((lease) => ({ ...lease, mark_ms: 2n ** 60n })))
        .execute(),
    )
    const usedMs = new Map(nodes.map(({ node, reservedMs }) => [node, reservedMs]))
    for (const node of nodes) await node[Symbol.asyncDispose]()
    await using next = await NodeLease.acquire({ ...SHORT, records: at.records })
    expect(next.startMs).toBeGreaterThanOrEqual(usedMs.get(next.node) ?? Number.POSITIVE_INFINITY)
    expect(next.reservedMs).toBeGreaterThan(next.startMs)
  })

  test('the mark of a number stays as far ahead of what is used as is reserved, however long it is held', async () => {
    await using node = await NodeLease.acquire({ ...SHORT, records: at.records })
    await sleep(8 * SHORT.renewMs)
    expect(node.reservedMs - Date.now()).toBeLessThanOrEqual(LEASE_MS)
    // Where ids are ahead of the clock there are always more of them.
    node.usedMs = node.reservedMs - 1
    const { usedMs } = node
    // A renewal that had begun already knows nothing of it, and reserves a little more than is used.
    while (node.reservedMs <= usedMs + LEASE_MS / 2) await sleep(5)
    expect(node.reservedMs).toBeLessThanOrEqual(usedMs + 2 * LEASE_MS)
  })

  test('a service that lost its number says so, and takes another', async () => {
    const { records, setAway } = breakable(at.records)
    await using lost = await NodeLease.acquire({ ...SHORT, records })
    setAway(true)
    while (lost.isHeld) await sleep(5)
    await expect(lost.ensureHeld()).rejects.toThrow(/lost its place/)
    expect(lost.reservedMs).toBe(0)
    await sleep(SHORT.leaseMs)
    await using other = await NodeLease.acquire({ ...SHORT, records: await at.again() })
    setAway(false)
    while (!lost.isHeld) await sleep(5)
    expect(lost.node).not.toBe(other.node)
    await lost.ensureHeld()
  })

  test('a service that had no processor time for as long as its lease holds it again when it is asked', async () => {
    await using lease = await NodeLease.acquire({ leaseMs: 200, renewMs: 60_000, records: at.records })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
    const { node, holder } = lease
    expect(lease.isHeld).toBe(false)
    await Promise.all([lease.ensureHeld(), lease.ensureHeld()])
    expect([lease.isHeld, lease.node, lease.holder]).toEqual([true, node, holder])
    expect(lease.reservedMs).toBeGreaterThan(Date.now())
  })

  test.each([
    ['has', 2n ** 60n],
    ['has had', 0n],
  ])('a number that another service %s after such a time is not taken back', async (_, expires_at_ms) => {
    await using lease = await NodeLease.acquire({ leaseMs: 200, renewMs: 60_000, records: at.records })
    const { node, holder } = lease
    await sleep(250)
    const other = { holder: 'another', expires_at_ms, mark_ms: BigInt(lease.startMs + 2 ** 41) }
    await at.records.transaction((db) => db.updateTable('leases').set(other).where('name', '=', `node/${node}`).execute())
    await lease.ensureHeld()
    expect(lease.isHeld).toBe(true)
    expect(lease.node).not.toBe(node)
    expect(lease.holder).not.toBe(holder)
  })

  test('what was committed before a look is known after it, in every service', async () => {
    const other = await at.again()
    let known = ''
    const cache = {
      kind: 'tokens' as const,
      async load() {
        const rows = await other.read.selectFrom('settings').select('value').where('name', '=', 'x').execute()
        known = rows[0]?.value ?? ''
      },
    }
    // The first change is not taken for other records.
    const caches = new RecordCaches(other, [cache], { onReplaced: () => expect(known).toBe('never') })
    await caches.refresh()
    for (let round = 0; round < 100; round++) {
      await at.records.transaction(async (db) => {
        await raiseVersion(db, 'tokens')
        await db.deleteFrom('settings').execute()
        await db
          .insertInto('settings')
          .values({ name: 'x', value: String(round) })
          .execute()
      })
      const looks = Array.from({ length: 5 }, async () => {
        await caches.refresh()
        return known
      })
      expect(new Set(await Promise.all(looks))).toEqual(new Set([String(round)]))
    }
  })

  test('a read counts as long as was said, but not after a change of this service, and not for who asks for the last state', async () => {
    let loads = 0
    const cache = { kind: 'tokens' as const, load: async () => void loads++ }
    const raise = () => at.records.transaction((db) => raiseVersion(db, 'tokens'))
    const caches = new RecordCaches(at.records, [cache], { freshMs: 60_000 })
    await caches.refreshLately()
    await raise()
    await caches.refreshLately()
    expect(loads).toBe(1)
    caches.expire()
    await caches.refreshLately()
    expect(loads).toBe(2)
    await raise()
    await caches.refresh()
    expect(loads).toBe(3)
    // A change that is made while the versions are read may not be among them.
    const reading = caches.refresh()
    caches.expire()
    await reading
    await raise()
    await caches.refreshLately()
    expect(loads).toBe(4)

    const strict = new RecordCaches(at.records, [cache])
    for (const loaded of [5, 6]) {
      await raise()
      await strict.refreshLately()
      expect(loads).toBe(loaded)
    }
  })
})
