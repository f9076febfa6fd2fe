/**
 * Keeps the caches in memory up to date with the records. Before a request is answered, the versions of all kinds are read once, and
 * only the kinds that have changed are loaded again. So a request sees everything that any service acknowledged before it arrived.
 * Records that went back, because a standby took over without the last commits or a backup was restored, are loaded as a whole: what they
 * do not have is forgotten.
 * Where many services share the records, a read may count for a while, so that not every request of every service reads: what others
 * changed is then seen at most so much later, and what this service changed at once.
 * Deliberately not here: the content of each cache, which its owner decides.
 */
import type { Records } from './records.ts'
import { createVersionReader, KINDS, type VersionedKind, type VersionsRead } from './versions.ts'

/** A cache of the records of one kind. */
export interface RecordCache {
  readonly kind: VersionedKind
  /**
   * Reads the changes since the last call. Calls never overlap.
   * @param version all changes up to this one can be read, and perhaps later ones
   * @param isAnew whether the records are others than at the last call: everything is read, and what is not there is forgotten
   */
  load(version: bigint, isAnew?: boolean): Promise<void>
}

interface CacheOptions {
  /** Called after the records were found to be others than before. */
  onReplaced?: () => void
  /** How long a read counts for requests that may be answered by it; 0: for none. */
  freshMs?: number
}

export class RecordCaches {
  readonly #readVersions: () => Promise<VersionsRead>
  readonly #caches: readonly RefreshedCache[]
  readonly #onReplaced: () => void
  readonly #freshMs: number
  /** Until when the last read counts, on the clock of `performance`. */
  #freshUntilMs = Number.NEGATIVE_INFINITY
  /** How often {@link expire} was called. */
  #changes = 0
  #last: VersionsRead | undefined
  /** How often the records were replaced by others. */
  #replaced = 0

  constructor(records: Pick<Records, 'read' | 'epoch'>, caches: readonly RecordCache[], options: CacheOptions = {}) {
    const { onReplaced = () => {}, freshMs = 0 } = options
    this.#readVersions = createVersionReader(records)
    this.#caches = caches.map((one) => new RefreshedCache(one))
    this.#onReplaced = onReplaced
    this.#freshMs = freshMs
  }

  /** Resolves when all caches have what was committed before the call, or a while before where a read counts for that long. */
  async refreshLately(): Promise<void> {
    if (performance.now() >= this.#freshUntilMs) await this.refresh()
  }

  /** Call this after a change that this service made, before it is answered. */
  expire(): void {
    this.#freshUntilMs = Number.NEGATIVE_INFINITY
    this.#changes++
  }

  /** Resolves when all caches have what was committed before the call. */
  async refresh(): Promise<void> {
    const [from, changes] = [performance.now(), this.#changes]
    const read = await this.#readVersions()
    const last = this.#last
    let isReplaced = false
    if (!last || read.order > last.order) {
      this.#last = read
      // Other records are those of another database, and those whose versions went back. Before the first change there is no epoch.
      isReplaced = Boolean(last?.epoch) && read.epoch !== last?.epoch
      for (const kind of KINDS) isReplaced ||= last !== undefined && read.versions[kind] < last.versions[kind]
      if (isReplaced) this.#replaced++
    }
    for (const cache of this.#caches) {
      // A later read of another request may be of other records, so that the versions of this one mean nothing any more.
      if (this.#last) await cache.catchUp(this.#last, this.#replaced)
    }
    // A change of this service may have been committed after the versions were read.
    if (changes === this.#changes) this.#freshUntilMs = Math.max(this.#freshUntilMs, from + this.#freshMs)
    if (isReplaced) this.#onReplaced()
  }
}

class RefreshedCache {
  readonly #cache: RecordCache
  /** The version when the last load began, and in which records. The load itself may have seen later changes. */
  #known = { version: -1n, replaced: 0 }
  #loading: Promise<void> | undefined

  constructor(cache: RecordCache) {
    this.#cache = cache
  }

  /** @param replaced how often the records had been replaced when the versions were read */
  async catchUp({ versions }: VersionsRead, replaced: number): Promise<void> {
    const version = versions[this.#cache.kind]
    while (replaced > this.#known.replaced || (replaced === this.#known.replaced && version > this.#known.version)) {
      // The first load is made even if nothing was ever changed.
      this.#loading ??= this.#load({ version, replaced }).finally(() => {
        this.#loading = undefined
      })
      await this.#loading
    }
  }

  async #load(next: { version: bigint; replaced: number }): Promise<void> {
    await this.#cache.load(next.version, next.replaced > this.#known.replaced)
    this.#known = next
  }
}
