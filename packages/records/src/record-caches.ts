/**
 * Keeps the caches in memory up to date with the records. Before a request is answered, the versions of all kinds are read once, and
 * only the kinds that have changed are loaded again. So a request sees everything that any service acknowledged before it arrived.
 * Deliberately not here: the content of each cache, which its owner decides.
 */
import type { Records } from './records.ts'
import { createVersionReader, type VersionedKind, type Versions } from './versions.ts'

/** A cache of the records of one kind. */
export interface RecordCache {
  readonly kind: VersionedKind
  /**
   * Reads the changes since the last call. Calls never overlap.
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

  /** Resolves when all caches have what was committed before the call. */
  async refresh(): Promise<void> {
    const versions = await this.#readVersions()
    for (const cache of this.#caches) {
      if (cache.isBehind(versions)) await cache.catchUp(versions)
    }
  }
}

class RefreshedCache {
  readonly #cache: RecordCache
  /** The version when the last load began. The load itself may have seen later changes. */
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
      // The first load is made even if nothing was ever changed.
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
