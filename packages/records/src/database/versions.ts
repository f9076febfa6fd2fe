/**
 * Shows which records have changed since the last read. Every service caches some kinds of records; a change raises the version of its
 * kind in the same transaction, so a service that reads the versions after the change was acknowledged notices it. Simultaneous
 * requests share one statement, which begins after all of them arrived.
 */

import { Batcher } from '@deployment-annotations/runtime/concurrency/batcher'
import { REQUESTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { sql } from 'kysely'
import type { Records, RecordsDatabase } from './records.ts'

/**
 * `catalogue` stands for datasets and their fields, and keeps the spelling that is stored. `monitors`, `notifiers` and `saved_views` are
 * not cached: creates raise their version so that they run one after the other, as `seen_versions` does for marks of versions; `outbox`
 * counts messages.
 */
export const KINDS = [
  'catalogue',
  'integrations',
  'monitors',
  'notifiers',
  'outbox',
  'saved_views',
  'seen_versions',
  'tokens',
] as const
export type VersionedKind = (typeof KINDS)[number]

type Versions = Readonly<Record<VersionedKind, bigint>>

/**
 * Runs as part of a transaction that changes records of the kind. It locks the kind until the transaction ends, so that versions become
 * visible in order.
 * @returns the version of the change
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

/** A kind that was never changed has no row. */
const UNCHANGED = Object.fromEntries(KINDS.map((kind) => [kind, 0n])) as Versions

function toVersions(rows: readonly { kind: string; version: bigint }[]): Versions {
  return { ...UNCHANGED, ...Object.fromEntries(rows.map(({ kind, version }) => [kind, version])) }
}

/** The versions at one moment. */
export interface VersionsRead {
  versions: Versions
  /** Identifies the database, see {@link Records.epoch}. */
  epoch: string
  /** The later of two reads has the higher number. */
  order: number
}

/** @returns a function that reads the versions, and that any number of callers may use at once */
export function createVersionReader({ read, epoch }: Pick<Records, 'read' | 'epoch'>): () => Promise<VersionsRead> {
  // The query is compiled once, because it runs before every request.
  const query = read.selectFrom('versions').selectAll().select(epoch.as('epoch')).compile()
  let order = 0
  const reads = new Batcher<undefined, VersionsRead>({
    async work(callers) {
      const { rows } = await read.executeQuery(query)
      const made = { versions: toVersions(rows), epoch: rows[0]?.epoch ?? '', order: ++order }
      return callers.map(() => made)
    },
    batchMax: { rows: REQUESTS.waitingMax, bytes: Number.POSITIVE_INFINITY },
    bound: REQUESTS,
    // SQLite answers synchronously and blocks the event loop.
    startsInOwnTurn: true,
  })
  return () => reads.add(undefined)
}
