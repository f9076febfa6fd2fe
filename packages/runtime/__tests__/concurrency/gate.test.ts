import { expect, test } from '@jest/globals'
import { Gate, type Permit } from '../../src/concurrency/gate.ts'
import { endSlice, takeTurn } from '../../src/concurrency/turns.ts'
import { boundOf, Tasks, turn } from './tasks.ts'

test('as many tasks run as there are permits, and the rest in order of arrival', async () => {
  const tasks = new Tasks()
  const gate = new Gate(boundOf({ slots: 2, waitingMax: 10 }))
  const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => gate.run(tasks.task(name))))
  await turn()
  expect(tasks.started).toEqual(['a', 'b'])
  await tasks.end('b')
  expect(tasks.started).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c', 'd']) await tasks.end(name)
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
  await gate.idle()
})

test('nobody overtakes a waiting task in the moment it is its turn', async () => {
  const gate = new Gate(boundOf({ slots: 1, waitingMax: 10 }))
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
  const all = [gate.run(() => ending), gate.run(task)]
  // One of these comes in the moment between the end of the first task and the start of the one that waits.
  const comeIn = async (ticks: number) => {
    await ending
    for (let tick = 0; tick < ticks; tick++) await undefined
    await gate.run(task)
  }
  all.push(...[0, 1, 2, 3, 4, 5, 6, 7, 8].map(comeIn))
  end()
  await Promise.all(all)
  expect({ most, running }).toEqual({ most: 1, running: 0 })
})

test('a permit is released when its task fails', async () => {
  const gate = new Gate(boundOf({ slots: 1, waitingMax: 10 }))
  const failing = gate.run(() => Promise.reject(new Error('no')))
  const next = gate.run(async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

test('a permit is released once, however often it is disposed of', async () => {
  const gate = new Gate(boundOf({ slots: 1, waitingMax: 10 }))
  const permit = await gate.acquire()
  permit[Symbol.dispose]()
  using _held = await gate.acquire()
  permit[Symbol.dispose]()
  const tasks = new Tasks()
  void gate.run(tasks.task('waits'))
  await turn()
  expect(tasks.started).toEqual([])
})

test('it is idle when the last waiting task has ended, not before', async () => {
  const tasks = new Tasks()
  const gate = new Gate(boundOf({ slots: 2, waitingMax: 10 }))
  const all = Promise.all(['a', 'b', 'c'].map((name) => gate.run(tasks.task(name))))
  await turn()
  let isIdle = false
  const idle = gate.idle().then(() => {
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
  const gate = new Gate(boundOf({ slots: 1, waitingMax: 3 }))
  const first = gate.run(tasks.task('first'))
  const waiting = [1, 2, 3].map(() => gate.run(async () => undefined))
  await expect(gate.run(async () => undefined)).rejects.toMatchObject({
    code: 'overloaded',
    status: 503,
    headers: { 'retry-after': '1' },
    message: 'the service is busy: 1 queries run and 4 more wait; send this one again in 1 s',
  })
  await tasks.end('first')
  await Promise.all([first, ...waiting])
})

test('each permit has a number that nobody else holds', async () => {
  const gate = new Gate(boundOf({ slots: 3, waitingMax: 100 }))
  const held = new Set<number>()
  const use = async (delay: number) => {
    using permit = await gate.acquire()
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
  const gate = new Gate(boundOf({ slots: 1, waitingMax: 1 }))
  const first = gate.run(tasks.task('first'))
  const caller = new AbortController()
  const waiting = gate.acquire({ signal: caller.signal })
  caller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  // The room in the queue is free again, and the permit goes to whoever takes it.
  const next = gate.run(tasks.task('next'))
  await tasks.end('first')
  expect(tasks.started).toEqual(['first', 'next'])
  await tasks.end('next')
  await Promise.all([first, next])
  await gate.idle()
})

test('who has given up already gets no permit at all', async () => {
  const gate = new Gate(boundOf({ slots: 1, waitingMax: 1 }))
  await expect(gate.acquire({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  expect(await gate.run(async () => 'free')).toBe('free')
})

test('who is patient waits as long as it takes', async () => {
  const gate = new Gate(boundOf({ waitMsMax: 5 }))
  const held = await gate.acquire()
  const patient = gate.acquire({ isPatient: true })
  await expect(gate.acquire()).rejects.toMatchObject({ code: 'overloaded' })
  held[Symbol.dispose]()
  using permit = await patient
  expect(permit.index).toBe(0)
})

/** Requests named `a1`, `a2`, `b1`: the letter is the caller. @returns their permits, as they are given a slot */
function come(gate: Gate, order: string[], ...names: string[]) {
  return names.map(async (name) => {
    const permit = await gate.acquire({ caller: name.slice(0, 1) })
    order.push(name)
    return permit
  })
}

test('a caller alone has every slot that is not kept back, in order of arrival', async () => {
  const gate = new Gate(boundOf({ slots: 3, slotsPerCaller: 2 }))
  const order: string[] = []
  const [first] = come(gate, order, 'a1', 'a2', 'a3')
  await turn()
  expect(order).toEqual(['a1', 'a2'])
  void come(gate, order, 'b1')
  await turn()
  expect(order).toEqual(['a1', 'a2', 'b1'])
  const permit = await first
  permit?.release()
  await turn()
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('a free slot goes to the caller that holds fewest', async () => {
  const gate = new Gate(boundOf({ slots: 2 }))
  const order: string[] = []
  const [first] = come(gate, order, 'a1', 'a2', 'a3', 'b1')
  const permit = await first
  permit?.release()
  await turn()
  expect(order).toEqual(['a1', 'a2', 'b1'])
})

test('of callers that hold as many, it goes to the one that was served longest ago, however many wait', async () => {
  const gate = new Gate(boundOf())
  const order: string[] = []
  for (const permit of come(gate, order, 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')) void permit.then((held) => held.release())
  await gate.idle()
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  expect(gate.load()).toMatchObject({ running: 0, waiting: 0 })
})

test('a caller that has its share is told so, and others that the service is busy', async () => {
  const gate = new Gate(boundOf({ slots: 4, slotsPerCaller: 3, waitingMax: 1 }))
  const order: string[] = []
  void come(gate, order, 'a1', 'a2', 'a3', 'b1', 'b2')
  await turn()
  expect(order).toEqual(['a1', 'a2', 'a3', 'b1'])
  await expect(gate.acquire({ caller: 'a' })).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'the share of this token is used up: 3 of its queries run and 1 more wait; send this one again in 1 s',
  })
  await expect(gate.acquire({ caller: 'c' })).rejects.toMatchObject({
    code: 'overloaded',
    message: 'the service is busy: 4 queries run and 2 more wait; send this one again in 1 s',
  })
  expect(gate.load()).toMatchObject({ running: 4, waiting: 1, started: 4, refused: 2 })
})

test('a caller goes on with its oldest request', async () => {
  const gate = new Gate(boundOf())
  const held = await gate.acquire()
  const order: string[] = []
  const leave = (name: string, permit: Permit) => {
    order.push(name)
    permit.release()
  }
  const later = gate.acquire({ sinceMs: performance.now() }).then((permit) => leave('later', permit))
  const older = gate.acquire({ sinceMs: performance.now() - 1 }).then((permit) => leave('older', permit))
  held.release()
  await Promise.all([later, older])
  expect(order).toEqual(['older', 'later'])
})

test('a request is refused once it has waited for as long as it may, also before it came here', async () => {
  const gate = new Gate(boundOf({ waitMsMax: 60_000 }))
  using _held = await gate.acquire()
  const fromMs = performance.now()
  await expect(gate.acquire({ waitMsMax: 300 })).rejects.toMatchObject({ code: 'overloaded' })
  expect(performance.now() - fromMs).toBeGreaterThan(290)
  await expect(gate.acquire({ sinceMs: fromMs - 60_000 })).rejects.toMatchObject({ code: 'overloaded' })
  expect(gate.load()).toMatchObject({ waiting: 0, refused: 2 })
})

test('a request is refused early if the queue does not move, and accepted if it does', async () => {
  const gate = new Gate(boundOf({ slotsPerCaller: 1, waitMsMax: 4_000 }))
  const held = await gate.acquire({ caller: 'a' })
  const wait = async () => {
    using _permit = await gate.acquire({ caller: 'a' })
    await turn()
  }
  const fromMs = performance.now()
  const crowd = Array.from({ length: 100 }, wait)
  await expect(crowd.at(-1)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(performance.now() - fromMs).toBeLessThan(2_000)
  held.release()
  await crowd[0]
  await Promise.allSettled(crowd)
  expect(gate.load().refused).toBeLessThan(100)
})

test('turns that give way to others are further apart while those wait', async () => {
  const others = new Gate(boundOf())
  const lists = new Gate(boundOf(), { givesWayTo: others })
  const held = await others.acquire()
  const waiting = others.acquire()
  const seen: string[] = []
  const all = ['first', 'second'].map((name) => takeTurn(lists).then(() => seen.push(name)))
  for (let i = 0; i < 5; i++) await turn()
  expect(seen).toEqual(['first'])
  held.release()
  ;(await waiting).release()
  await Promise.all(all)
  expect(seen).toEqual(['first', 'second'])
  // One that waits for ever holds nobody up.
  using _held = await others.acquire()
  const left = new AbortController()
  const never = others.acquire({ signal: left.signal })
  await Promise.all([takeTurn(lists), takeTurn(lists)])
  left.abort(new Error('gone'))
  await expect(never).rejects.toThrow('gone')
})

test('each has a turn of the event loop of its own, by callers, and others have theirs in between', async () => {
  const gate = new Gate(boundOf())
  const seen: string[] = []
  const take = async (name: string) => {
    await takeTurn(gate, { caller: name.slice(0, 1) })
    seen.push(name)
  }
  const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map(take)
  setImmediate(() => setImmediate(() => seen.push('other')))
  await Promise.all(all)
  expect(seen.filter((name) => name !== 'other')).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  expect(seen.indexOf('other')).toBeLessThan(seen.length - 1)
  await gate.idle()
  expect(gate.load()).toMatchObject({ waiting: 0, started: 5, refused: 0 })
})

test('of long works four go on in each turn of the event loop, by callers, whatever their number', async () => {
  const seen: string[] = []
  let [slices, most, isOver] = [0, 0, false]
  const watch = () => {
    most = Math.max(most, slices)
    slices = 0
    if (!isOver) setImmediate(watch)
  }
  const work = async (caller: string) => {
    for (let n = 0; n < 5; n++) {
      // Its slice is over.
      await endSlice(performance.now() - 1_000, caller)
      slices++
      seen.push(caller)
    }
  }
  setImmediate(watch)
  await Promise.all([...Array(10).fill('crowd'), 'other'].map(work))
  isOver = true
  expect(most).toBe(4)
  expect(seen.lastIndexOf('other')).toBeLessThan(28)
})
