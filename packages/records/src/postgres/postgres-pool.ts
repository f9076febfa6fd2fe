/**
 * Wraps the connection pool for Kysely. Every error is translated, including those of reads, and a connection that stopped answering is
 * not reused.
 */

import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/**
 * @param translate converts an error of the database or the driver into the error to throw
 * @param perTransaction settings for each transaction, if the connections do not have them
 */
export function translatePool(pool: pg.Pool, translate: (error: unknown) => unknown, perTransaction = ''): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return translateClient(await pool.connect(), translate, perTransaction)
      } catch (error) {
        throw translate(error)
      }
    },
  }
}

/** The statements with which Kysely begins a transaction. */
const BEGIN = /^(?:begin|start transaction)\b/

function translateClient(
  client: pg.PoolClient,
  translate: (error: unknown) => unknown,
  perTransaction: string,
): PostgresPoolClient {
  /** The error that lost the connection to the server, which may still be busy with the statement. The connection is not reused. */
  let lost: unknown
  const query = async (text: string, values: readonly unknown[]) => {
    // The transaction is rolled back when its connection closes; a ROLLBACK would only wait once more.
    if (lost) throw lost
    try {
      // In one message with the beginning, the settings cost no round trip.
      if (perTransaction !== '' && BEGIN.test(text)) return await client.query(`${text}; ${perTransaction}`)
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
