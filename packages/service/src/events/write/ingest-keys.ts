/**
 * Idempotency-Key of ingest: a request that is repeated with the same key and the same body is stored once, also when the
 * process was killed in between.
 *
 * Before a request's rows are inserted, an intent is: key, hash, where its first row will be, and the answer. A request's
 * rows are all there or none, so after a crash the first row tells whether the intent came true. That is found out once, at
 * start (`settle`); rows may be trimmed later, and must not be taken for missing then. Keys are remembered for 24 hours.
 */
import { InFlight, type KeyedRequest } from '../../concurrency/in-flight.ts'
import type { EventPosition, EventTables } from '../../store/event-tables.ts'
import type { IngestKeyStore, KeyRecord, KeyState } from '../../store/ingest-key-store.ts'
import { Confirmations } from './confirmations.ts'

const REMEMBERED_MS = 24 * 60 * 60 * 1_000

/** What is done once per key. */
interface KeyedAttempt {
  /** Table of the dataset. */
  table: string
  first: EventPosition | undefined
  /** The answer if all goes well. */
  result: string
  /** Stores the rows, and before them the intent: by {@link IngestKeys.saveIntents}. @returns the answer that counts */
  store(intent: KeyRecord): Promise<string>
}

export class IngestKeys {
  readonly #store: IngestKeyStore
  readonly #clock: () => number
  readonly #inFlight = new InFlight<string>({ request: 'request', payload: 'body' })
  readonly #confirmations: Confirmations
  /** Intents that failed in this process, whether or not the note of it reached the disk. */
  readonly #voided = new Set<string>()
  #sequence: number

  constructor(store: IngestKeyStore, clock: () => number) {
    this.#store = store
    this.#clock = clock
    this.#confirmations = new Confirmations(store)
    this.#sequence = clock() * 1_000
  }

  /**
   * @returns the answer, of this attempt or of the first one with the key
   * @throws ServiceError `invalid` and `in_flight`, see {@link InFlight.once}
   */
  once(request: KeyedRequest, attempt: KeyedAttempt): Promise<string> {
    return this.#inFlight.once(request, {
      find: () => this.#find(request.key),
      make: () => this.#make(request, attempt),
    })
  }

  /** Writes intents, and with them what waits to be confirmed. Resolves once all are on disk. */
  async saveIntents(intents: readonly KeyRecord[]): Promise<void> {
    await this.#store.add([...this.#confirmations.take(), ...intents])
  }

  /** Finds out which intents of an earlier process came true. @param known tables of the datasets that there are */
  async settle(tables: EventTables, known: ReadonlySet<string>): Promise<void> {
    const settled: KeyRecord[] = []
    for (const { key, payload, table, first } of await this.#store.listOpen(this.#rememberedSinceMs())) {
      const isStored = first === undefined || (known.has(table) && (await tables.has(table, first)))
      settled.push(this.#record({ key, payload }, isStored ? 'done' : 'void'))
    }
    if (settled.length > 0) await this.#store.add(settled)
  }

  /** Writes what is not confirmed yet. */
  close(): Promise<void> {
    return this.#confirmations.flush()
  }

  async #make(request: KeyedRequest, attempt: KeyedAttempt): Promise<string> {
    try {
      const result = await attempt.store(this.#record(request, 'intent', attempt))
      this.#voided.delete(request.key)
      this.#confirmations.add(this.#record(request, 'done'))
      return result
    } catch (error) {
      this.#voided.add(request.key)
      this.#confirmations.add(this.#record(request, 'void'))
      throw error
    }
  }

  /** The last intent of the key, unless it is known not to have come true. */
  async #find(key: string): Promise<KeyRecord | undefined> {
    const records = await this.#store.find(key, this.#rememberedSinceMs())
    const last = records.findLast(({ state }) => state !== 'done')
    return last?.state === 'intent' && !this.#voided.has(key) ? last : undefined
  }

  #record(
    { key, payload }: Pick<KeyedRequest, 'key' | 'payload'>,
    state: KeyState,
    { table, first, result }: Pick<KeyedAttempt, 'table' | 'first' | 'result'> = NO_ATTEMPT,
  ): KeyRecord {
    return { key, payload, state, table, first, result, writtenAtMs: this.#clock(), sequence: ++this.#sequence }
  }

  #rememberedSinceMs(): number {
    return this.#clock() - REMEMBERED_MS
  }
}

const NO_ATTEMPT = { table: '', first: undefined, result: '' }
