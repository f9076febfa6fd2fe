/**
 * Keeps what this service has in memory as new as the records. Before a request is answered, the versions of all kinds are read once, and
 * only the kinds that have changed are loaded again. So everything that any service acknowledged before the request came is known when it
 * is answered. Deliberately not here: what is cached of each kind, which its owner decides.
 */
import type { Records } from './records.ts'
import { createVersionReader, type VersionedKind, type Versions } from './versions.ts'

/** A cache of the records of one kind. */
export interface RecordCache {
  readonly kind: VersionedKind
  /**
   * Reads what has changed since the last call. There is one call at a time.
   * @param version all changes up to this one can be read, and perhaps later ones
   */
  load(version: bigint): Promise<void>
}

export class RecordCaches {
  readonly #readVersions: () => Promise<Versions>
  readonly #caches: readonly RefreshedCache[]

  constructor(records: Pick<Records, 'read'>, caches: readonly RecordCache[]) {
    this.#readVersions = createVersionReader(records)
    this.#caches = caches.map((one) => new RefreshedCache(one))
  }

  /** Resolves when all caches know what was committed before the call. */
  async refresh(): Promise<void> {
    const versions = await this.#readVersions()
    for (const cache of this.#caches) {
      if (cache.isBehind(versions)) await cache.catchUp(versions)
    }
  }
}

class RefreshedCache {
  readonly #cache: RecordCache
  /** What was there when the last load began; it may have seen more. */
  #known = -1n
  #loading: Promise<void> | undefined

  constructor(cache: RecordCache) {
    this.#cache = cache
  }

  isBehind(versions: Versions): boolean {
    return versions[this.#cache.kind] > this.#known
  }

  async catchUp(versions: Versions): Promise<void> {
    while (this.isBehind(versions)) {
      // The first load of a service is made even where nothing was ever changed.
      this.#loading ??= this.#load(versions[this.#cache.kind]).finally(() => {
        this.#loading = undefined
      })
      await this.#loading
    }
  }

  async #load(version: bigint): Promise<void> {
    await this.#cache.load(version)
    this.#known = version
  }
}
