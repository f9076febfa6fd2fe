import { expect, test } from '@jest/globals'
import { Gate, isTooLong, type Permit, takeTurn } from '../../src/concurrency/gate.ts'
import { boundOf, soon, Tasks, turn } from './tasks.ts'

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
function come(gate: Gate<string>, order: string[], ...names: string[]) {
  return names.map(async (name) => {
    const permit = await gate.acquire({ caller: name.slice(0, 1), data: name })
    order.push(name)
    return permit
  })
}

test('a caller alone has every slot that is not kept back, in order of arrival', async () => {
  const gate = new Gate<string>(boundOf({ slots: 3, slotsPerCaller: 2 }))
  const order: string[] = []
  const [first] = come(gate, order, 'a1', 'a2', 'a3')
  await turn()
  expect(order).toEqual(['a1', 'a2'])
  come(gate, order, 'b1')
  await turn()
  expect(order).toEqual(['a1', 'a2', 'b1'])
  const permit = await first
  permit?.release()
  await turn()
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('a free slot goes to the caller that holds fewest', async () => {
  const gate = new Gate<string>(boundOf({ slots: 2 }))
  const order: string[] = []
  const [first] = come(gate, order, 'a1', 'a2', 'a3', 'b1')
  const permit = await first
  permit?.release()
  await turn()
  expect(order).toEqual(['a1', 'a2', 'b1'])
})

test('of callers that hold as many, it goes to the one that was served longest ago, however many wait', async () => {
  const gate = new Gate<string>(boundOf())
  const order: string[] = []
  for (const permit of come(gate, order, 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')) void permit.then((held) => held.release())
  await gate.idle()
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  expect(gate.isEmpty).toBe(true)
})

test('a caller that has its share is told so, and others that the service is busy', async () => {
  const gate = new Gate<string>(boundOf({ slots: 4, slotsPerCaller: 3, waitingMax: 1 }))
  const order: string[] = []
  void come(gate, order, 'a1', 'a2', 'a3', 'b1', 'b2')
  await turn()
  expect(order).toEqual(['a1', 'a2', 'a3', 'b1'])
  await expect(gate.acquire({ caller: 'a', data: 'a4' })).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'the share of this token is used up: 3 of its queries run and 1 more wait; send this one again in 1 s',
  })
  await expect(gate.acquire({ caller: 'c', data: 'c1' })).rejects.toMatchObject({
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

test('a request that only keeps a place has no slot itself, and is not counted among those that wait to begin', async () => {
  const gate = new Gate<string>(boundOf({ slots: 3 }))
  const order: string[] = []
  const gone = new AbortController()
  const left: unknown[] = []
  using _place = gate.keepPlace({ caller: 'a', signal: gone.signal }, (reason) => left.push(reason))
  void come(gate, order, 'a2', 'b1')
  await turn()
  expect([order, gate.ready, gate.load().waiting]).toEqual([['a2', 'b1'], 0, 1])
  gone.abort(new Error('gone'))
  expect([left, gate.load().waiting]).toEqual([[new Error('gone')], 0])
})

test('a request that would be refused is refused before it is prepared', async () => {
  const gate = new Gate<string>(boundOf({ waitingMax: 1 }))
  const [running] = come(gate, [], 'a1', 'a2')
  await turn()
  let error: unknown
  try {
    gate.keepPlace({ caller: 'b' }, () => undefined)
  } catch (refusal) {
    error = refusal
  }
  expect(error).toMatchObject({ code: 'overloaded' })
  expect(gate.load()).toMatchObject({ waiting: 1, refused: 1 })
  ;(await running)?.release()
})

test('a request that only keeps a place is not refused while there are free slots, however long the others have taken', async () => {
  const gate = new Gate(boundOf({ slots: 2, waitMsMax: 1_000 }))
  const gone = new AbortController()
  const { signal } = gone
  const left: unknown[] = []
  const giveUp = (reason: unknown) => left.push(reason)
  {
    using _long = await gate.acquire()
    gate.keepPlace({ signal, waitMsMax: Number.POSITIVE_INFINITY }, giveUp)
    await new Promise((resolve) => setTimeout(resolve, 700))
  }
  gate.keepPlace({ signal }, giveUp)
  await turn()
  expect(gate.load()).toMatchObject({ running: 0, waiting: 2, refused: 0 })
  gone.abort(new Error('gone'))
  expect(left).toEqual([new Error('gone'), new Error('gone')])
})

test('a request that moves to another gate has its slot there, and leaves its own to others', async () => {
  const [from, to] = [new Gate(boundOf()), new Gate(boundOf())]
  const moved = await from.acquire()
  const waits = from.acquire()
  from.move(moved, to)
  from.grant()
  const next = await waits
  expect([from.load().running, to.load().running, moved.gate === to]).toEqual([1, 1, true])
  moved.release()
  next.release()
  expect([from.isEmpty, to.isEmpty]).toEqual([true, true])
})

test('in its first second a wait is too long when too much is expected, later when the longest is over', () => {
  const wait = { sinceMs: 0, waitMsMax: 10_000 }
  expect(isTooLong(wait, 5_000, 100)).toBe(false)
  expect(isTooLong(wait, 7_000, 100)).toBe(true)
  expect(isTooLong({ ...wait, expectedMsMax: 8_000 }, 7_000, 100)).toBe(false)
  expect(isTooLong(wait, 20_000, 950)).toBe(false)
  expect(isTooLong(wait, 0, 9_999)).toBe(false)
  expect(isTooLong(wait, 0, 10_000)).toBe(true)
})

test('a request of which something was done already is refused only when the longest wait is over', async () => {
  const gate = new Gate(boundOf({ waitMsMax: 700, expectedMsMax: 0 }))
  using _held = await gate.acquire()
  const fromMs = performance.now()
  const begun = { sinceMs: fromMs - 2_000, hasBegun: true, isAccepted: true }
  await expect(gate.acquire({ ...begun, isAccepted: false })).rejects.toMatchObject({ code: 'overloaded' })
  expect(performance.now() - fromMs).toBeLessThan(600)
  await expect(gate.acquire(begun)).rejects.toMatchObject({ code: 'overloaded' })
  expect(performance.now() - fromMs).toBeGreaterThan(690)
})

test('a request that waits is judged again, as it becomes known how long it is going to wait', async () => {
  const gate = new Gate(boundOf({ waitMsMax: 400 }))
  using _held = await gate.acquire()
  const fromMs = performance.now()
  // Nothing is known when it comes; a fifth of the time that the first has taken would be too long soon.
  await expect(gate.acquire()).rejects.toMatchObject({ code: 'overloaded' })
  expect(performance.now() - fromMs).toBeLessThan(5_000)
  expect(gate.load()).toMatchObject({ waiting: 0, refused: 1 })
})

test('a request that would wait too long, by how long the others take, is refused at once', async () => {
  const gate = new Gate(boundOf({ waitMsMax: 1_000 }))
  const hold = async (holdMs: number) => {
    using _permit = await gate.acquire({ isPatient: true })
    await new Promise((resolve) => setTimeout(resolve, holdMs))
  }
  const all = [hold(300), hold(300), hold(300), hold(300)]
  await all[0]
  const fromMs = performance.now()
  await expect(gate.acquire()).rejects.toMatchObject({ code: 'overloaded' })
  expect(performance.now() - fromMs).toBeLessThan(100)
  await Promise.all(all)
})

test('a request that has waited too long before it came here is refused, too', async () => {
  const gate = new Gate(boundOf({ waitMsMax: 1_000 }))
  using _held = await gate.acquire()
  await expect(gate.acquire({ sinceMs: performance.now() - 2_000 })).rejects.toMatchObject({ code: 'overloaded' })
})

test('turns that give way to others are further apart while those wait, and say nothing then about how long one takes', async () => {
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
  expect([seen, lists.serviceMs]).toEqual([['first', 'second'], 0])
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
  await soon(() => gate.isEmpty)
  expect(gate.load()).toMatchObject({ waiting: 0, started: 5, refused: 0 })
})
