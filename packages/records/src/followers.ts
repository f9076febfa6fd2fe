/**
 * Keeps what this service has in memory as new as the records: before a request is answered, one look at the versions tells
 * which kinds have changed, and only those are read again. So whatever was acknowledged before the request came, by whichever
 * service, is known when it is answered. Deliberately not here: what is kept of each kind, which its owner knows.
 */
import type { Records } from './records.ts'
import { createVersionReader, type VersionedKind, type Versions } from './versions.ts'

/** Something in memory that follows the records of one kind. */
export interface Follower {
  readonly kind: VersionedKind
  /**
   * Reads what changed since the last time; one call at a time.
   * @param version all changes up to this one can be read, and perhaps later ones
   */
  load(version: bigint): Promise<void>
}

export class Followers {
  readonly #readVersions: () => Promise<Versions>
  readonly #followers: readonly Following[]

  constructor(records: Pick<Records, 'read'>, followers: readonly Follower[]) {
    this.#readVersions = createVersionReader(records)
    this.#followers = followers.map((follower) => new Following(follower))
  }

  /** Resolves when all followers know what was committed before the call. */
  async refresh(): Promise<void> {
    const versions = await this.#readVersions()
    for (const following of this.#followers) {
      if (following.isBehind(versions)) await following.catchUp(versions)
    }
  }
}

class Following {
  readonly #follower: Follower
  /** What was there when the last load began; it may have seen more. */
  #known = -1n
  #loading: Promise<void> | undefined

  constructor(follower: Follower) {
    this.#follower = follower
  }

  isBehind(versions: Versions): boolean {
    return versions[this.#follower.kind] > this.#known
  }

  async catchUp(versions: Versions): Promise<void> {
    while (this.isBehind(versions)) {
      // The first load of a service is made even where nothing was ever changed.
      this.#loading ??= this.#load(versions[this.#follower.kind]).finally(() => {
        this.#loading = undefined
      })
      await this.#loading
    }
  }

  async #load(version: bigint): Promise<void> {
    await this.#follower.load(version)
    this.#known = version
  }
}
