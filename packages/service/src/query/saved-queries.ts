/**
 * Queries that are saved when they are asked (`saveAsKind`), to be found under the id that their answer names.
 */
import { randomBytes } from 'node:crypto'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import type { QueryKind } from '@deployment-annotations/contract/query'
import type { Records } from '@deployment-annotations/records/database/records'
import {
  insertSavedQuery,
  readSavedQuery,
  removeOldSavedQueries,
  type SavedQueryRecord,
} from '@deployment-annotations/records/saved/saved-query-records'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'

/** How long one is kept, and how many: some clients save every query that they ask. */
const KEPT_MS = 30 * 86_400_000
const KEPT_MAX = 1_000
/** Of the body of one. Larger ones are answered and not saved: with a thousand of them the records would not be small any more. */
const BYTES_MAX = 65_536

interface ToSave {
  kind: QueryKind
  dataset: string
  /** The body of the request. */
  query: unknown
  /** Id of the token. */
  by: string
}

export type SavedQueries = ReturnType<typeof createSavedQueries>

export function createSavedQueries(records: Records, clock: () => number) {
  return {
    /** @returns the id; `undefined` where the query is too long to be saved */
    async save({ kind, dataset, query, by }: ToSave): Promise<string | undefined> {
      const text = stringifyExact(query)
      if (Buffer.byteLength(text) > BYTES_MAX) return undefined
      const id = `qry_${randomBytes(12).toString('hex')}`
      const createdAtMs = clock()
      await records.transaction(async (db) => {
        await insertSavedQuery(db, { id, kind, dataset, query: text, createdBy: by, createdAtMs })
        await removeOldSavedQueries(db, createdAtMs - KEPT_MS, KEPT_MAX)
      })
      return id
    },
    /** @throws ServiceError `not_found`, also for one of another token where the caller may only see its own */
    async get(id: string, { id: by, seesAll }: { id: string; seesAll: boolean }): Promise<SavedQueryRecord> {
      const found = await readSavedQuery(records.read, id)
      if (found && (seesAll || found.createdBy === by)) return found
      throw new ServiceError(
        'not_found',
        `saved query ${quoted(id)} not found: queries are kept for 30 days, the newest ${KEPT_MAX} of them`,
      )
    },
  }
}
