import { expect, test } from '@jest/globals'
import { boundOf, soon } from '../../../runtime/__tests__/concurrency/tasks.ts'
import type { GateBound } from '../../../runtime/src/concurrency/gate.ts'
import type { ServiceError } from '../../../runtime/src/errors.ts'
import { createGatedReader } from '../../src/reading/gated-reader.ts'
import { type Attempt, QueryGates, RunAgain } from '../../src/reading/query-gates.ts'
import { READ_LIMITS } from '../../src/reading/reader.ts'

/** A gate whose slots are shared between callers. */
const sharedGate = (more: Partial<GateBound>): GateBound =>
  boundOf({ waitMsMax: 60_000, slotsPerCaller: more.slots ?? 1, waitingPerCallerMax: 100, ...more })

/** Queries named `a1`, `b1`: the letter is the caller, and each is a statement of its own unless it says otherwise. */
class Queries {
  /** What happened: `a1 foreground`, `a1 stopped`. */
  readonly seen: string[] = []
  readonly gates: QueryGates
  /** Those under way do not end when they are stopped. */
  isDeaf = false
  readonly #ends = new Map<string, () => void>()

  constructor(quick: Partial<GateBound> = {}, long: Partial<GateBound> = {}) {
    this.gates = new QueryGates({ quick: sharedGate(quick), long: sharedGate(long), quickMsMax: 20 })
  }

  /** Resolves with its name once it was ended; what refused it is the answer otherwise. */
  ask(name: string, { shape = name, signal = new AbortController().signal, waitMsMax = undefined as number | undefined } = {}) {
    const query = { caller: name.slice(0, 1), shape, signal, waitMsMax }
    return this.gates.run(query, (attempt) => this.#run(name, attempt)).catch((error: ServiceError) => error)
  }

  end(name: string): void {
    this.#ends.get(name)?.()
  }

  /** Resolves once all of it has happened. */
  async until(...entries: string[]): Promise<void> {
    await soon(() => entries.every((entry) => this.seen.includes(entry)))
  }

  #run(name: string, { signal, mode }: Attempt): Promise<string> {
    this.seen.push(`${name} ${mode}`)
    return new Promise((resolve, reject) => {
      this.#ends.set(name, () => resolve(name))
      signal.addEventListener('abort', () => {
        if (this.isDeaf) return
        this.seen.push(`${name} stopped`)
        reject(signal.reason)
      })
    })
  }
}

const later = () => new Promise((resolve) => setTimeout(resolve, 60))

test('a query that is late goes on in the long queue, and leaves its slot to the next', async () => {
  const queries = new Queries()
  const all = [queries.ask('a1'), queries.ask('b1')]
  await queries.until('a1 foreground')
  expect(queries.seen).toEqual(['a1 foreground'])
  await queries.until('b1 foreground')
  queries.end('b1')
  queries.end('a1')
  expect(await Promise.all(all)).toEqual(['a1', 'b1'])
  expect(queries.seen).toEqual(['a1 foreground', 'b1 foreground'])
  await queries.gates.idle()
})

test('where the long queue has no slot for it, it is stopped once another waits, and runs again in its turn', async () => {
  const queries = new Queries()
  const late = [queries.ask('a1'), queries.ask('b1')]
  await queries.until('b1 foreground')
  await later()
  // Late, but nobody waits for its slot.
  expect(queries.seen).toEqual(['a1 foreground', 'b1 foreground'])
  const small = queries.ask('c1')
  await queries.until('c1 foreground')
  queries.end('c1')
  expect(await small).toBe('c1')
  await later()
  expect(queries.seen.slice(2)).toEqual(['b1 stopped', 'c1 foreground'])
  queries.end('a1')
  await queries.until('b1 background')
  queries.end('b1')
  expect(await Promise.all(late)).toEqual(['a1', 'b1'])
})

test('while one is late, others with its statement wait in the long queue, and no small one behind them', async () => {
  const queries = new Queries()
  const joins = ['a1', 'a2', 'a3'].map((name) => queries.ask(name, { shape: 'join' }))
  const small = queries.ask('a4')
  await queries.until('a4 foreground')
  const another = queries.ask('a5', { shape: 'join' })
  queries.end('a4')
  expect(await small).toBe('a4')
  await later()
  expect(queries.seen).toEqual(['a1 foreground', 'a4 foreground'])
  for (const name of ['a1', 'a2', 'a3', 'a5']) {
    await queries.until(`${name} foreground`)
    queries.end(name)
  }
  expect(await Promise.all([...joins, another])).toEqual(['a1', 'a2', 'a3', 'a5'])
})

test('beside two others, a query runs in the background', async () => {
  const queries = new Queries({ slots: 3 })
  const all = ['a1', 'b1'].map((name) => queries.ask(name))
  await queries.until('a1 foreground', 'b1 foreground')
  all.push(queries.ask('c1'))
  await queries.until('c1 background')
  for (const name of ['a1', 'b1', 'c1']) queries.end(name)
  await Promise.all(all)
})

test('what asks for another mode runs again in it', async () => {
  const gates = new QueryGates()
  const modes: string[] = []
  const { signal } = new AbortController()
  const task = async ({ mode }: Attempt) => {
    modes.push(mode)
    if (mode !== 'spilling') throw new RunAgain('spilling')
    return 'done'
  }
  expect(await gates.run({ caller: 'a', shape: 'x', signal }, task)).toBe('done')
  expect(modes).toEqual(['foreground', 'spilling'])
})

test('who waits too long is refused, with the reason: its own queries, or those of others', async () => {
  const queries = new Queries({ waitMsMax: 10, retryAfterS: 3 })
  const held = ['a1', 'a2'].map((name) => queries.ask(name, { waitMsMax: 10_000 }))
  await queries.until('a1 foreground', 'a2 foreground')
  await later()
  // Both are late: one of them has the long queue, and the other is not stopped in time.
  queries.isDeaf = true
  const [own, others] = [await queries.ask('a3'), await queries.ask('b1')]
  expect(own).toMatchObject({ code: 'rate_limited', status: 429, headers: { 'retry-after': '3' } })
  expect((own as Error).message).toBe(
    'the share of this token is used up: 1 of its queries run and 1 more wait; send this one again in 3 s',
  )
  expect(others).toMatchObject({ code: 'overloaded', status: 503, headers: { 'retry-after': '3' } })
  expect((others as Error).message).toBe('the service is busy: 1 queries run and 1 more wait; send this one again in 3 s')
  for (const name of ['a1', 'a2']) queries.end(name)
  expect(await Promise.all(held)).toEqual(['a1', 'a2'])
})

test('one too many is refused at once: of a caller, and of all', async () => {
  const queries = new Queries({ waitingMax: 3, waitingPerCallerMax: 2 })
  const controller = new AbortController()
  const { signal } = controller
  const waiting = ['a1', 'a2', 'a3'].map((name) => queries.ask(name, { signal }))
  expect(await queries.ask('a4')).toMatchObject({ code: 'rate_limited' })
  waiting.push(queries.ask('b1', { signal }))
  expect(await queries.ask('c1')).toMatchObject({ code: 'overloaded' })
  controller.abort(new Error('left'))
  expect(await Promise.all(waiting)).toEqual(Array(4).fill(expect.objectContaining({ message: 'left' })))
  await queries.gates.idle()
})

test('who would wait too long, by how long others have had their slots, is refused at once', async () => {
  const gates = new QueryGates({ quick: sharedGate({ waitMsMax: 50 }), long: sharedGate({}), quickMsMax: 60_000 })
  const run = (task: () => Promise<unknown>, waitMsMax?: number) =>
    gates.run({ caller: 'a', shape: 'same', signal: new AbortController().signal, waitMsMax }, task)
  const first = run(() => new Promise((resolve) => setTimeout(resolve, 60)))
  let end = (_: unknown) => {}
  // It waits, so that there is no pause.
  const running = run(() => new Promise((resolve) => (end = resolve)), 60_000)
  await first
  let refused: unknown
  run(async () => undefined).catch((error: unknown) => {
    refused = error
  })
  // Before any timer has had its turn.
  for (let i = 0; i < 20; i++) await Promise.resolve()
  expect(refused).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } })
  expect(gates.load().queries).toMatchObject({ running: 1, waiting: 0, refused: 1 })
  end(undefined)
  await running
})

test('a request goes on before later ones, and is not refused for what it waited before', async () => {
  const gates = new QueryGates({ quick: sharedGate({ waitMsMax: 1_000 }), long: sharedGate({}), quickMsMax: 60_000 })
  const seen: string[] = []
  const { signal } = new AbortController()
  let end = (_: unknown) => {}
  const request = { sinceMs: performance.now() - 2_000 }
  const run = (name: string, of: { sinceMs?: number; request?: object }, task: () => Promise<unknown> = async () => undefined) =>
    gates.run({ caller: 'a', shape: name, signal, ...of }, async () => {
      seen.push(name)
      await task()
    })
  await run('first', { ...request, request })
  const holding = run('holds', {}, () => new Promise((resolve) => (end = resolve)))
  const all = [run('later', {}), run('second', { ...request, request })]
  // Another one that has waited for so long, and of which nothing was done.
  await expect(run('late', { sinceMs: request.sinceMs })).rejects.toMatchObject({ code: 'rate_limited' })
  end(undefined)
  await Promise.all([holding, ...all])
  expect(seen).toEqual(['first', 'holds', 'second', 'later'])
})

/** A request of a caller that waits while something is done first. */
function prepare(gates: QueryGates, caller: string, { waitMsMax = undefined as number | undefined } = {}) {
  let end = () => {}
  const prepared = new Promise<string>((resolve) => {
    end = () => resolve(`${caller} is prepared`)
  })
  const query = { caller, signal: new AbortController().signal, waitMsMax }
  const answer = gates.whileWaiting(query, () => prepared).catch((error: ServiceError) => error)
  return { answer, end }
}

test('a request that is not ready yet waits like others: it counts for those that come later, and is refused as they are', async () => {
  const queries = new Queries({ waitingMax: 1 })
  const running = queries.ask('a1')
  await queries.until('a1 foreground')
  const first = prepare(queries.gates, 'b')
  expect(await queries.ask('c1')).toMatchObject({ code: 'overloaded' })
  first.end()
  expect(await first.answer).toBe('b is prepared')
  expect(await prepare(queries.gates, 'b', { waitMsMax: 20 }).answer).toMatchObject({
    code: expect.stringMatching(/overloaded|rate_limited/),
  })
  const last = queries.ask('c2')
  queries.end('a1')
  await queries.until('c2 foreground')
  queries.end('c2')
  expect(await Promise.all([running, last])).toEqual(['a1', 'c2'])
  await queries.gates.idle()
})

test('a request that is not ready yet is given no slot, which others have meanwhile', async () => {
  const queries = new Queries()
  const first = prepare(queries.gates, 'a')
  const second = queries.ask('b1')
  await queries.until('b1 foreground')
  queries.end('b1')
  expect(await second).toBe('b1')
  first.end()
  expect(await first.answer).toBe('a is prepared')
})

test('where all take long and nobody is done, nobody is late', async () => {
  const gates = new QueryGates({ quick: sharedGate({ slots: 2 }), long: sharedGate({}), quickMsMax: 500 })
  const ends: (() => void)[] = []
  const ask = (caller: string) =>
    gates.run(
      { caller, shape: caller, signal: new AbortController().signal },
      () => new Promise<void>((resolve) => ends.push(resolve)),
    )
  const all = ['a', 'b', 'c'].map(ask)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(gates.load()).toMatchObject({ queries: { running: 2, waiting: 1 }, 'long-queries': { running: 0, waiting: 0 } })
  for (let ended = 0; ended < 3; ended++) {
    await soon(() => ends.length > ended)
    ends[ended]?.()
  }
  await Promise.all(all)
})

test('before anybody is done, many are refused who would wait for long, by how long the first one has been at it', async () => {
  const gates = new QueryGates({
    quick: sharedGate({ waitingMax: 500, waitingPerCallerMax: 500 }),
    long: sharedGate({}),
    quickMsMax: 10_000,
  })
  let end = () => {}
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('done')
  })
  const ask = () => gates.run({ caller: 'a', shape: 'same', signal: new AbortController().signal }, () => ended)
  const first = ask()
  const others = Array.from({ length: 400 }, () => ask().catch(({ code }: ServiceError) => code))
  expect(await others.at(-1)).toBe('rate_limited')
  end()
  // Who is next is not refused.
  expect([await first, await others[0]]).toEqual(['done', 'done'])
  await Promise.all(others)
})

test('a statement that runs again with less memory has the time that is left, not all of it anew', async () => {
  const modes: string[] = []
  const read = async (_statement: unknown, _caller: string, { signal, mode }: Attempt): Promise<never> => {
    modes.push(mode)
    if (modes.length === 1) {
      await new Promise((resolve) => setTimeout(resolve, 700))
      throw Object.assign(new Error('memory limit exceeded'), { clickhouseCode: 241 })
    }
    return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const limits = { ...READ_LIMITS, msMax: 200 }
  const reader = createGatedReader({ name: 'the store', limits, stateOf: () => undefined, read, close: async () => undefined })
  const startMs = performance.now()
  // A second is given to the engine to end it by itself.
  const answer = reader.read({ sql: 'a', params: {} }, new AbortController().signal)
  await expect(answer).rejects.toMatchObject({ code: 'query_timeout' })
  const tookMs = performance.now() - startMs
  expect(modes).toEqual(['foreground', 'spilling'])
  expect(tookMs).toBeGreaterThan(1_100)
  expect(tookMs).toBeLessThan(1_800)
})
