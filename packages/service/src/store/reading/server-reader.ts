/**
 * Queries on a ClickHouse server: the same statements over HTTP, read-only, with the same limits.
 * A statement is ended by its id: the server looks for a closed connection only when it has something to tell, and in a join
 * that may be never.
 */
import { randomUUID } from 'node:crypto'
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import type { Statement } from '@deployment-annotations/apl/plan'
import { QUERIES } from '../../concurrency/queue-bounds.ts'
import { Semaphore } from '../../concurrency/semaphore.ts'
import { describeEngineError } from './engine-errors.ts'
import { onAbort } from './on-abort.ts'
import { READERS, type Reader, type ReadLimits, type ReadResult, readSettings } from './reader.ts'
import { openResult, RESULT_FORMAT } from './result-text.ts'

/** A server that says nothing for this long after the limit counts as gone. */
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
  const readers = new Semaphore(READERS, QUERIES)
  const kill = async (id: string) => {
    await control.command({ query: `KILL QUERY WHERE query_id = '${id}' ASYNC` }).catch(() => undefined)
  }

  async function read({ sql, params }: Statement, signal: AbortSignal): Promise<ReadResult> {
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
  }

  return {
    async read(statement, signal) {
      try {
        using _permit = await readers.acquire(signal)
        return await read(statement, signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw describeEngineError(error, limits)
      }
    },
    async close() {
      await readers.idle()
      await client.close()
      await control.close()
    },
  }
}
