/**
 * Queries on a ClickHouse server: the same statements over HTTP, read-only, with the same limits.
 * A statement is ended by its id: the server looks for a closed connection only when it has something to tell, and in a join
 * that may be never.
 */
import { randomUUID } from 'node:crypto'
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { describeEngineError } from './engine-errors.ts'
import { onAbort } from './on-abort.ts'
import { createPlaces } from './places.ts'
import { READERS, type Reader, type ReadLimits, readSettings, WAITING_MAX } from './reader.ts'
import { openResult, RESULT_FORMAT } from './result-text.ts'

/** A server that says nothing for so long after the limit is gone. */
const SILENCE_MS_MAX = 10_000

export function openServerReader(url: URL, limits: ReadLimits): Reader {
  const open = (connections: number) =>
    createClient({
      url,
      application: 'annotation-service-queries',
      max_open_connections: connections,
      request_timeout: limits.msMax + SILENCE_MS_MAX,
      log: { level: ClickHouseLogLevel.OFF },
    })
  const client = open(READERS)
  // Of its own, because all connections of the other may be waiting for what it is to end.
  const control = open(1)
  const settings: ClickHouseSettings = {
    ...readSettings(limits),
    wait_end_of_query: 1,
  }
  const places = createPlaces(
    Array.from({ length: READERS }, (_, index) => index),
    WAITING_MAX,
  )
  const kill = async (id: string) => {
    await control.command({ query: `KILL QUERY WHERE query_id = '${id}' ASYNC` }).catch(() => undefined)
  }
  return {
    async read({ sql, params }, signal) {
      try {
        return await places.use(signal, async () => {
          const id = randomUUID()
          const stopKilling = onAbort(signal, () => kill(id))
          try {
            const result = await client.query({
              query: sql,
              query_params: params,
              query_id: id,
              format: RESULT_FORMAT,
              clickhouse_settings: settings,
            })
            return openResult(await result.text())
          } finally {
            stopKilling()
          }
        })
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw describeEngineError(error, limits)
      }
    },
    async close() {
      await places.idle()
      await client.close()
      await control.close()
    },
  }
}
