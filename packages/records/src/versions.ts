/**
 * Which records have changed since this service last looked. Some kinds are kept in memory by every service; a change raises the
 * version of its kind in the same transaction, so a service that asked for the versions after the change was acknowledged knows of
 * it. Many requests that ask at one moment share one statement, which begins after all of them have asked.
 */

import { Batcher } from '@deployment-annotations/runtime/concurrency/batcher'
import { REQUESTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { sql } from 'kysely'
import type { Records, RecordsDatabase } from './records.ts'

/**
 * `catalogue`: datasets and their fields. `monitors`, `saved_views`: nobody keeps them; creates raise it so that they come one after
 * the other.
 */
export type VersionedKind = 'catalogue' | 'integrations' | 'monitors' | 'saved_views' | 'tokens'

export type Versions = Readonly<Record<VersionedKind, bigint>>

/**
 * Part of a transaction that changes records of the kind. It holds the kind until the transaction ends, so versions become
 * visible in the order of their numbers.
 * @returns the version that the change makes
 */
export async function raiseVersion(db: RecordsDatabase, kind: VersionedKind): Promise<bigint> {
  const { version } = await db
    .insertInto('versions')
    .values({ kind, version: 1n })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ version: sql<bigint>`versions.version + 1` }))
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

export async function readVersions(db: RecordsDatabase): Promise<Versions> {
  return toVersions(await db.selectFrom('versions').selectAll().execute())
}

function toVersions(rows: readonly { kind: string; version: bigint }[]): Versions {
  return {
    catalogue: 0n,
    integrations: 0n,
    monitors: 0n,
    saved_views: 0n,
    tokens: 0n,
    ...Object.fromEntries(rows.map(({ kind, version }) => [kind, version])),
  }
}

/** @returns a function that reads the versions, for any number of callers at a time */
export function createVersionReader({ read }: Pick<Records, 'read'>): () => Promise<Versions> {
  // Compiled once, because it is asked before every request.
  const query = read.selectFrom('versions').selectAll().compile()
  const reads = new Batcher<undefined, Versions>({
    async work(callers) {
      const versions = toVersions((await read.executeQuery(query)).rows)
      return callers.map(() => versions)
    },
    batchMax: { rows: REQUESTS.waitingMax, bytes: Number.POSITIVE_INFINITY },
    bound: REQUESTS,
    // SQLite answers at once, and holds up the loop for it.
    startsInOwnTurn: true,
  })
  return () => reads.add(undefined)
}
