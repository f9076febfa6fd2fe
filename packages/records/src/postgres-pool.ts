/**
 * The pool of connections as Kysely takes it, with two promises more: every error is in the service's words, reads included,
 * and a connection that has gone silent is not given to the next who asks.
 */

import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** @param translate what the database and the driver report, to what is thrown */
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

function translateClient(client: pg.PoolClient, translate: (error: unknown) => unknown): PostgresPoolClient {
  /** Set when the server was not reached through it: it may still be busy with what was asked. */
  let lost: unknown
  const query = async (text: string, values: readonly unknown[]) => {
    // Its transaction is rolled back by its end; to ask for that would wait once more.
    if (lost) throw lost
    try {
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
