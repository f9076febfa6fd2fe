/**
 * Wraps the connection pool for Kysely. Every error is translated, including those of reads, and a connection that stopped answering is
 * not reused.
 */

import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** @param translate converts an error of the database or the driver into the error to throw */
export function translatePool(pool: pg.Pool, translate: (error: unknown) => unknown): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return translateClient(await pool.connect(), translate)
      } catch (error) {
        throw translate(error)
      }
    },
  }
}

/** The statements with which Kysely begins a transaction. */
const BEGIN = /^(?:begin|start transaction)\b/
/**
 * The server ends what takes longer, so that a transaction whose service is gone keeps nobody waiting. A connection has no settings of its
 * own, because a pooler that hands connections on, such as PgBouncer, refuses them.
 */
const SETTINGS = "set local statement_timeout = '10s'; set local idle_in_transaction_session_timeout = '10s'"

function translateClient(client: pg.PoolClient, translate: (error: unknown) => unknown): PostgresPoolClient {
  /** The error that lost the connection to the server, which may still be busy with the statement. The connection is not reused. */
  let lost: unknown
  const query = async (text: string, values: readonly unknown[]) => {
    // The transaction is rolled back when its connection closes; a ROLLBACK would only wait once more.
    if (lost) throw lost
    try {
      // In one message with the beginning, the settings cost no round trip.
      if (BEGIN.test(text)) return await client.query(`${text}; ${SETTINGS}`)
      return await client.query(text, [...values])
    } catch (cause) {
      const error = translate(cause)
      if (error instanceof ServiceError && error.code === 'unavailable') lost = error
      throw error
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (isDiscarded) => client.release(isDiscarded || lost !== undefined),
  }
}
