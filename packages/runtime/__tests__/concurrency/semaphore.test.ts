import { expect, test } from '@jest/globals'
import { Semaphore } from '../../src/concurrency/semaphore.ts'
import { boundOf, Tasks, turn } from './tasks.ts'

test('as many tasks run as there are permits, and the rest in order of arrival', async () => {
  const tasks = new Tasks()
  const semaphore = new Semaphore(2, boundOf(10))
  const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => semaphore.run(tasks.task(name))))
  await turn()
  expect(tasks.started).toEqual(['a', 'b'])
  await tasks.end('b')
  expect(tasks.started).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c', 'd']) await tasks.end(name)
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
  await semaphore.idle()
})

test('nobody overtakes a waiting task in the moment it is its turn', async () => {
  const semaphore = new Semaphore(1, boundOf(10))
  let running = 0
  let most = 0
  const task = async () => {
    most = Math.max(most, ++running)
    await turn()
    running--
  }
  let end = () => {}
  const ending = new Promise<void>((resolve) => {
    end = resolve
  })
  const all = [semaphore.run(() => ending), semaphore.run(task)]
  // One of these comes in the moment between the end of the first task and the start of the one that waits.
  const comeIn = async (ticks: number) => {
    await ending
    for (let tick = 0; tick < ticks; tick++) await undefined
    await semaphore.run(task)
  }
  all.push(...[0, 1, 2, 3, 4, 5, 6, 7, 8].map(comeIn))
  end()
  await Promise.all(all)
  expect({ most, running }).toEqual({ most: 1, running: 0 })
})

test('a permit is released when its task fails', async () => {
  const semaphore = new Semaphore(1, boundOf(10))
  const failing = semaphore.run(() => Promise.reject(new Error('no')))
  const next = semaphore.run(async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

test('a permit is released once, however often it is disposed of', async () => {
  const semaphore = new Semaphore(1, boundOf(10))
  const permit = await semaphore.acquire()
  permit[Symbol.dispose]()
  using _held = await semaphore.acquire()
  permit[Symbol.dispose]()
  const tasks = new Tasks()
  void semaphore.run(tasks.task('waits'))
  await turn()
  expect(tasks.started).toEqual([])
})

test('it is idle when the last waiting task has ended, not before', async () => {
  const tasks = new Tasks()
  const semaphore = new Semaphore(2, boundOf(10))
  const all = Promise.all(['a', 'b', 'c'].map((name) => semaphore.run(tasks.task(name))))
  await turn()
  let isIdle = false
  const idle = semaphore.idle().then(() => {
    isIdle = true
  })
  for (const name of ['a', 'b']) {
    await tasks.end(name)
    expect(isIdle).toBe(false)
  }
  await tasks.end('c')
  await Promise.all([all, idle])
})

test('where too many wait already, the next is refused and told to come again', async () => {
  const tasks = new Tasks()
  const semaphore = new Semaphore(1, boundOf(3))
  const first = semaphore.run(tasks.task('first'))
  const waiting = [1, 2, 3].map(() => semaphore.run(async () => undefined))
  await expect(semaphore.run(async () => undefined)).rejects.toMatchObject({
    code: 'overloaded',
    status: 503,
    headers: { 'retry-after': '1' },
    message: '3 wait already',
  })
  await tasks.end('first')
  await Promise.all([first, ...waiting])
})

test('each permit has a number that nobody else holds', async () => {
  const semaphore = new Semaphore(3, boundOf(100))
  const held = new Set<number>()
  const use = async (delay: number) => {
    using permit = await semaphore.acquire()
    expect(held.has(permit.index)).toBe(false)
    held.add(permit.index)
    for (let i = 0; i < delay; i++) await turn()
    held.delete(permit.index)
    return permit.index
  }
  const used = await Promise.all([3, 1, 2, 1, 4, 1, 1, 2, 3].map(use))
  expect([...new Set(used)].sort()).toEqual([0, 1, 2])
})

test('who gives up waiting leaves the queue, and gets no permit later', async () => {
  const tasks = new Tasks()
  const semaphore = new Semaphore(1, boundOf(1))
  const first = semaphore.run(tasks.task('first'))
  const caller = new AbortController()
  const waiting = semaphore.acquire(caller.signal)
  caller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  // The room in the queue is free again, and the permit goes to whoever takes it.
  const next = semaphore.run(tasks.task('next'))
  await tasks.end('first')
  expect(tasks.started).toEqual(['first', 'next'])
  await tasks.end('next')
  await Promise.all([first, next])
  await semaphore.idle()
})

test('who has given up already gets no permit at all', async () => {
  const semaphore = new Semaphore(1, boundOf(1))
  await expect(semaphore.acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(await semaphore.run(async () => 'free')).toBe('free')
})

test('who has waited for too long is refused, and takes no permit', async () => {
  const semaphore = new Semaphore(1, { waitingMax: 10, waitMsMax: 20, message: (waiting) => `${waiting} wait` })
  const held = await semaphore.acquire()
  await expect(semaphore.acquire()).rejects.toMatchObject({ code: 'overloaded' })
  held[Symbol.dispose]()
  using again = await semaphore.acquire()
  expect(again.index).toBe(0)
})

test('who is patient waits as long as it takes', async () => {
  const semaphore = new Semaphore(1, { waitingMax: 10, waitMsMax: 5, message: (waiting) => `${waiting} wait` })
  const held = await semaphore.acquire()
  const patient = semaphore.acquire(undefined, true)
  await expect(semaphore.acquire()).rejects.toMatchObject({ code: 'overloaded' })
  held[Symbol.dispose]()
  using permit = await patient
  expect(permit.index).toBe(0)
})
