/**
 * Queries that wait for rows: one that finds none is held and asked again when events of its dataset were stored, until it has rows
 * or its time is over. Who follows a dataset then costs nothing while it is quiet.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { HELD_QUERIES } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'

/** Between two looks while events keep coming and none of them matches. */
const LOOK_MS_MIN = 200
/** Between two looks for events of other services. */
const OTHERS_EVERY_MS = 1_000

interface HeldParts extends Pick<EventStore, 'stored'> {
  tables: Pick<EventStore['tables'], 'isShared'>
  /** Ends all waits: the service is closing. */
  ending: AbortSignal
}

interface Wait {
  dataset: string
  durationMs: number
  /** Ends the wait: the caller has gone. */
  signal: AbortSignal
}

/** What was found: the caller disposes of it. */
interface Found extends AsyncDisposable {
  rows: { count: number }
}

export class HeldQueries {
  readonly #parts: HeldParts
  readonly #held = new Gate(HELD_QUERIES)

  constructor(parts: HeldParts) {
    this.#parts = parts
  }

  /**
   * @param look asks once
   * @returns the first answer with rows, or the last one
   * @throws ServiceError `overloaded` where too many wait already; what `look` throws
   */
  async untilRows<T extends Found>(look: () => Promise<T>, { dataset, durationMs, signal }: Wait): Promise<T> {
    using _permit = await this.#held.acquire()
    const { stored, tables, ending } = this.#parts
    const over = AbortSignal.any([signal, ending])
    const from = performance.now()
    const waitedMs = () => performance.now() - from
    let come = new AbortController()
    const note = () => come.abort()
    stored.addEventListener(dataset, note)
    using _listening = { [Symbol.dispose]: () => stored.removeEventListener(dataset, note) }
    for (;;) {
      // Before it looks, so that no event is missed between the look and the wait.
      come = new AbortController()
      const lookedMs = waitedMs()
      const found = await look()
      const restMs = durationMs - waitedMs()
      if (found.rows.count > 0 || restMs <= 0 || over.aborted) return found
      const signal = AbortSignal.any([over, come.signal])
      await sleep(tables.isShared ? Math.min(restMs, OTHERS_EVERY_MS) : restMs, undefined, { signal }).catch(() => undefined)
      if (!come.signal.aborted && (!tables.isShared || over.aborted)) return found
      await found[Symbol.asyncDispose]()
      await sleep(Math.max(0, lookedMs + LOOK_MS_MIN - waitedMs()), undefined, { signal: over }).catch(() => undefined)
    }
  }
}
