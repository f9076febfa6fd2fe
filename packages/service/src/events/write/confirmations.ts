/**
 * Notes on keyed requests that have ended, on their way to disk: written with the next intents, or after a moment.
 * They may come late or never: the next start finds out by itself what became of an intent.
 */
import type { IngestKeyStore, KeyRecord } from '../../store/ingest-key-store.ts'

const WAIT_MS_MAX = 1_000
/** How many are kept for the next time when writing them fails. */
const KEPT_MAX = 10_000

export class Confirmations {
  readonly #store: IngestKeyStore
  #unwritten: KeyRecord[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(store: IngestKeyStore) {
    this.#store = store
  }

  add(record: KeyRecord): void {
    this.#unwritten.push(record)
    this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS_MAX).unref()
  }

  /** Hands over what is not written yet; it is up to the caller then. */
  take(): KeyRecord[] {
    const records = this.#unwritten
    this.#unwritten = []
    return records
  }

  /** Writes what is not written yet. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const records = this.take()
    if (records.length === 0) return
    try {
      await this.#store.add(records)
    } catch {
      this.#unwritten.unshift(...records.slice(0, Math.max(0, KEPT_MAX - this.#unwritten.length)))
    }
  }
}
