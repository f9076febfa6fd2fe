import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { Batcher, type BatcherOptions } from '../../src/concurrency/batcher.ts'
import { boundOf, turn } from './tasks.ts'

const UNBOUNDED = { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** A batcher of numbers that doubles them, and the batches it has worked on. */
function createDoubler(options: Partial<BatcherOptions<number, number>> = {}) {
  const batches: number[][] = []
  const batcher = new Batcher<number, number>({
    async work(items) {
      batches.push([...items])
      await turn()
      if (items.includes(13)) throw new Error('no')
      return items.map((item) => item * 2)
    },
    batchMax: UNBOUNDED,
    bound: boundOf(),
    ...options,
  })
  return { batches, batcher, add: (item: number) => batcher.add(item) }
}

test('what arrives while a batch is under way goes together into the next', async () => {
  const { batches, add } = createDoubler()
  expect(await Promise.all([1, 2, 3, 4].map(add))).toEqual([2, 4, 6, 8])
  expect(await add(5)).toBe(10)
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

test('a batch whose results are not as many as its items fails, because they could be those of others', async () => {
  const { add } = createDoubler({ work: async (items) => items.slice(1).concat(0, 0) })
  await expect(add(1)).rejects.toThrow('a result for each of its items')
})

test('a batch that fails fails for each of its items, and the next one goes on', async () => {
  const { add } = createDoubler()
  const outcomes = await Promise.allSettled([1, 13, 3].map(add))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await add(4)).toBe(8)
})

test('a batch has as many rows and bytes as it may, and a single item more', async () => {
  const loadOf = (item: number) => ({ rows: item, bytes: item * 10 })
  const byRows = createDoubler({ loadOf, batchMax: { rows: 5, bytes: Number.POSITIVE_INFINITY } })
  await Promise.all([1, 2, 3, 1, 9, 1].map(byRows.add))
  expect(byRows.batches).toEqual([[1], [2, 3], [1], [9], [1]])
  const byBytes = createDoubler({ loadOf, batchMax: { rows: Number.POSITIVE_INFINITY, bytes: 50 } })
  await Promise.all([1, 2, 3, 1, 9, 1].map(byBytes.add))
  expect(byBytes.batches).toEqual(byRows.batches)
})

test('queues have a batch each in turn, so that a busy one does not starve the others', async () => {
  const { batches, add } = createDoubler({
    queueOf: (item) => (item < 10 ? 'busy' : 'other'),
    batchMax: { rows: 2, bytes: Number.POSITIVE_INFINITY },
  })
  await Promise.all([1, 2, 3, 4, 5, 10].map(add))
  expect(batches).toEqual([[1], [2, 3], [10], [4, 5]])
})

test('of several queues as many batches as allowed are under way, of one queue never two', async () => {
  const underWay = new Set<string>()
  const seen: string[][] = []
  const { batches, batcher, add } = createDoubler({
    queueOf: (item) => String(Math.trunc(item / 10)),
    batchesAtOnceMax: 2,
    async work(items, queue) {
      expect(underWay.has(queue)).toBe(false)
      underWay.add(queue)
      seen.push([...underWay])
      batches.push([...items])
      await turn()
      underWay.delete(queue)
      return [...items]
    },
  })
  expect(await Promise.all([10, 11, 12, 20, 30, 31, 40].map(add))).toEqual([10, 11, 12, 20, 30, 31, 40])
  expect(batches).toEqual([[10], [20], [11, 12], [30, 31], [40]])
  expect(Math.max(...seen.map(({ length }) => length))).toBe(2)
  await batcher.idle()
})

test('a queue that lingers holds up no other', async () => {
  const { batches, batcher, add } = createDoubler({
    queueOf: (item) => (item < 10 ? 'lingering' : 'other'),
    lingerMsMax: 10_000,
    async work(items) {
      batches.push([...items])
      await sleep(items.length > 1 ? 200 : 1)
      return [...items]
    },
  })
  const first = add(1)
  const pair = Promise.all([add(2), add(3)])
  await first
  await turn()
  // These wait for [2, 3]; behind it the first of their queues pauses for 100 ms, and the other one is served at once.
  await Promise.all([pair, add(4), add(10)])
  expect(batches).toEqual([[1], [2, 3], [10], [4]])
  await batcher.idle()
})

test('where too many items wait or are under way, the next is refused and told to come again', async () => {
  const { batcher, add } = createDoubler({ bound: boundOf({ waitingMax: 3 }) })
  const all = Promise.all([1, 2, 3].map(add))
  expect(batcher.isFull).toBe(true)
  await expect(add(4)).rejects.toMatchObject({
    code: 'overloaded',
    headers: { 'retry-after': '1' },
    message: 'the service is busy: 1 queries run and 2 more wait; send this one again in 1 s',
  })
  await all
  await batcher.idle()
  expect(batcher.isFull).toBe(false)
  expect(await add(4)).toBe(8)
})

test('bytes that wait are bounded too, and free again when a batch has failed', async () => {
  const { batcher, add } = createDoubler({ loadOf: () => ({ rows: 1, bytes: 10 }), bytesWaitingMax: 20 })
  const both = Promise.allSettled([13, 2].map(add))
  await expect(add(3)).rejects.toMatchObject({ code: 'overloaded' })
  await both
  await batcher.idle()
  expect(await add(3)).toBe(6)
})

test('behind a batch of several it lingers for those who were just answered', async () => {
  const { batches, add } = createDoubler({
    lingerMsMax: 200,
    async work(items) {
      batches.push([...items])
      await sleep(80)
      return [...items]
    },
  })
  const first = add(1)
  await Promise.all([add(2), add(3)])
  // 40 ms, half of what the batch took, are more than these need to come one after the other.
  const fourth = add(4)
  await sleep(1)
  await Promise.all([first, fourth, add(5)])
  expect(batches).toEqual([[1], [2, 3], [4, 5]])
})

test('it lingers no longer than until as many have come as were answered', async () => {
  const { batches, add } = createDoubler({
    lingerMsMax: 60_000,
    async work(items) {
      batches.push([...items])
      await sleep(items.length > 1 && items[0] === 2 ? 2_000 : 1)
      return [...items]
    },
  })
  await Promise.all([add(1), Promise.all([add(2), add(3)])])
  // The pause would be a second.
  const answered = Promise.all([add(4), add(5)]).then(() => 'answered')
  expect(await Promise.race([answered, sleep(900, 'still waiting')])).toBe('answered')
  expect(batches).toEqual([[1], [2, 3], [4, 5]])
})

test('it is idle when nothing waits and nothing is under way', async () => {
  const { batches, batcher, add } = createDoubler()
  await batcher.idle()
  const all = Promise.all([1, 2].map(add))
  await batcher.idle()
  expect(batches).toEqual([[1], [2]])
  await all
})

/** A batcher whose first batch goes on until it is ended, and of which one item waits for two batches. */
function createHeld(waitMsMax: number, more: Partial<BatcherOptions<number, number>> = {}) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const held = createDoubler({
    bound: { ...boundOf(), waitMsMax },
    batchMax: { rows: 1, bytes: Number.POSITIVE_INFINITY },
    async work(items) {
      if (items.includes(1)) await ended
      return [...items]
    },
    ...more,
  })
  return { ...held, end }
}

test('what waits for longer than it may is refused, and what is under way goes on', async () => {
  const { add, batcher, end } = createHeld(400)
  const first = add(1)
  await expect(add(2)).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '1' } })
  expect(batcher.load()).toMatchObject({ running: 1, waiting: 0 })
  end()
  expect(await first).toBe(1)
  expect(await add(3)).toBe(3)
})

test('what is patient waits as long as it takes', async () => {
  const { add, end } = createHeld(20, { isPatient: (item) => item === 2 })
  const all = [add(1), add(2)]
  await expect(add(3)).rejects.toMatchObject({ code: 'overloaded' })
  end()
  expect(await Promise.all(all)).toEqual([1, 2])
})
