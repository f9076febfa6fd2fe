/**
 * Queries on a ClickHouse server: the same statements over HTTP, read-only, with the same limits.
 * A statement ends when we close its connection: the server looks for that in read-only queries.
 */
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { describeEngineError } from './engine-errors.ts'
import { createPlaces } from './places.ts'
import { READERS, type Reader, type ReadLimits, readSettings, WAITING_MAX } from './reader.ts'
import { openResult, RESULT_FORMAT } from './result-text.ts'

/** A server that says nothing for so long after the limit is gone. */
const SILENCE_MS_MAX = 10_000

export function openServerReader(url: URL, limits: ReadLimits): Reader {
  const client = createClient({
    url,
    application: 'annotation-service-queries',
    max_open_connections: READERS,
    request_timeout: limits.msMax + SILENCE_MS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const settings: ClickHouseSettings = {
    ...readSettings(limits),
    cancel_http_readonly_queries_on_client_close: 1,
    wait_end_of_query: 1,
  }
  const places = createPlaces(
    Array.from({ length: READERS }, (_, index) => index),
    WAITING_MAX,
  )
  return {
    async read({ sql, params }, signal) {
      try {
        return await places.use(signal, async () => {
          const result = await client.query({
            query: sql,
            query_params: params,
            format: RESULT_FORMAT,
            clickhouse_settings: settings,
            abort_signal: signal,
          })
          return openResult(await result.text())
        })
      } catch (error) {
        throw describeEngineError(error, limits)
      }
    },
    async close() {
      await places.idle()
      await client.close()
    },
  }
}
