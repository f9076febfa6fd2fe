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

export interface SavedQueries {
  /** @returns the id; `undefined` where the query is too long to be saved */
  save(query: ToSave): Promise<string | undefined>
  /** @throws ServiceError `not_found`, also for one of another token where the caller may only see its own */
  get(id: string, by: { id: string; seesAll: boolean }): Promise<SavedQueryRecord>
}

export function createSavedQueries(records: Records, clock: () => number): SavedQueries {
  return {
    async save({ kind, dataset, query, by }) {
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
    async get(id, { id: by, seesAll }) {
      const found = await readSavedQuery(records.read, id)
      if (found && (seesAll || found.createdBy === by)) return found
      throw new ServiceError(
        'not_found',
        `saved query ${quoted(id)} not found: queries are kept for 30 days, the newest ${KEPT_MAX} of them`,
      )
    },
  }
}
