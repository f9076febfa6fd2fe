import { expect, test } from '@jest/globals'
import { createBatches } from '../src/store/batches.ts'
import { createLane } from '../src/store/lane.ts'

/** Tasks that end when told to. */
function createTasks() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string) => async () => {
    started.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
    return name
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { started, task, end }
}

test('a lane runs as many as it is wide, and the rest in order of arrival', async () => {
  const { started, task, end } = createTasks()
  const lane = createLane(2)
  const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => lane.run(task(name))))
  await new Promise(setImmediate)
  expect(started).toEqual(['a', 'b'])
  await end('b')
  expect(started).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c', 'd']) await end(name)
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
  await lane.drained()
})

test('nobody overtakes a waiting task in the moment it is its turn', async () => {
  const lane = createLane(1)
  let running = 0
  let most = 0
  const task = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  }
  let end = () => {}
  const ending = new Promise<void>((resolve) => {
    end = resolve
  })
  const all = [lane.run(() => ending), lane.run(task)]
  // One of these comes in the moment between the end of the first task and the begin of the one that waits.
  const comeIn = async (ticks: number) => {
    await ending
    for (let tick = 0; tick < ticks; tick++) await undefined
    await lane.run(task)
  }
  all.push(...[0, 1, 2, 3, 4, 5, 6].map(comeIn))
  end()
  await Promise.all(all)
  expect({ most, running }).toEqual({ most: 1, running: 0 })
})

test('a lane goes on after a task that failed', async () => {
  const lane = createLane(1)
  const failing = lane.run(() => Promise.reject(new Error('no')))
  const next = lane.run(async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

test('a lane is drained when the last waiting task has ended, not before', async () => {
  const { task, end } = createTasks()
  const lane = createLane(1)
  const both = Promise.all([lane.run(task('a')), lane.run(task('b'))])
  let drained = false
  const drain = lane.drained().then(() => {
    drained = true
  })
  await end('a')
  expect(drained).toBe(false)
  await end('b')
  await Promise.all([both, drain])
})

test('a lane with too many waiting refuses, and says to come again', async () => {
  const { task, end } = createTasks()
  const lane = createLane(1)
  const first = lane.run(task('first'))
  const waiting = Array.from({ length: 500 }, () => lane.run(async () => undefined))
  await expect(lane.run(async () => undefined)).rejects.toMatchObject({
    code: 'overloaded',
    status: 503,
    headers: { 'retry-after': '1' },
  })
  await end('first')
  await Promise.all([first, ...waiting])
})

test('what arrives while a batch is under way goes together into the next', async () => {
  const batches: number[][] = []
  const double = createBatches<number, number>(async (items) => {
    batches.push(items)
    await new Promise(setImmediate)
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(await double(5)).toBe(10)
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

test('a batch that fails fails for each of its items, and the next one goes on', async () => {
  const work = createBatches<number, void>(async (items) => {
    if (items.includes(2)) throw new Error('no')
    return []
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(work))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  await work(4)
})
