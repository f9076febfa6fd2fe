/**
 * Group commit: what arrives while one insert is under way becomes the next insert, and every caller hears of its own.
 * A durable insert costs about the same for one row as for a hundred, so this is what makes many small creates fast.
 */

import { ServiceError } from '../errors.ts'

/** Rows of one insert at most, so that a late comer does not wait for a giant. */
const BATCH_ROWS_MAX = 1_000
/** Waiting rows after which new ones are refused. */
const PENDING_ROWS_MAX = 10_000

/**
 * @param commit stores all rows or none
 * @returns a function that resolves once its row is stored, and rejects with what `commit` rejected with
 */
export function createGroupCommit<Row>(commit: (rows: Row[]) => Promise<void>): (row: Row) => Promise<void> {
  interface Pending {
    row: Row
    resolve: () => void
    reject: (reason: unknown) => void
  }
  const pending: Pending[] = []
  let committing = false

  async function commitAll(): Promise<void> {
    committing = true
    while (pending.length > 0) {
      const batch = pending.splice(0, BATCH_ROWS_MAX)
      try {
        await commit(batch.map((entry) => entry.row))
        for (const entry of batch) entry.resolve()
      } catch (error) {
        for (const entry of batch) entry.reject(error)
      }
    }
    committing = false
  }
  return async (row) => {
    if (pending.length >= PENDING_ROWS_MAX) {
      throw new ServiceError('overloaded', `the store is busy: ${pending.length} rows wait already; try again in a second`)
    }
    return new Promise((resolve, reject) => {
      pending.push({ row, resolve, reject })
      if (!committing) void commitAll()
    })
  }
}
