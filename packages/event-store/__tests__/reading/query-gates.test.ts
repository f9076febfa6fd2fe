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
    this.gates = new QueryGates(sharedGate(quick), sharedGate(long), 20)
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
