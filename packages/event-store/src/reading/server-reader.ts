/**
 * Runs queries on a ClickHouse server: the same statements over HTTP, read-only, with the same limits.
 * A statement is ended by its id, because the server notices a closed connection only when it sends something, which may be never in a
 * join.
 */
import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClickHouseSettings } from '@clickhouse/client'
import type { Statement } from '@deployment-annotations/apl/sql/plan'
import { QUERIES_AT_ONCE } from '@deployment-annotations/runtime/concurrency/bounds'
import { ServerAddresses } from '../server/server-addresses.ts'
import { createGatedReader } from './gated-reader.ts'
import type { Attempt } from './query-gates.ts'
import { onAbort, type Reader, type ReadLimits, type ReadResult, readSettings, withConstants } from './reader.ts'
import { ResultFiles } from './result-files.ts'
import { RESULT_FORMAT } from './result-rows.ts'

/** A server that is silent for this long after the time limit counts as gone. */
const SILENCE_MS_MAX = 10_000

interface ServerReaderOptions {
  limits: ReadLimits
  /** The settings of every query, besides those of all readers. */
  settings: ClickHouseSettings
  stateOf: Reader['stateOf']
}

/** @param urls the first one that works is used; a query that loses its server is repeated on another one */
export function openServerReader(urls: readonly URL[], { limits, settings, stateOf }: ServerReaderOptions): Reader {
  const addresses = new ServerAddresses(urls, {
    application: 'annotation-service-queries',
    connections: QUERIES_AT_ONCE,
    requestMsMax: limits.msMax + SILENCE_MS_MAX,
  })
  const files = new ResultFiles(mkdtempSync(join(tmpdir(), 'annotation-service-answers-')), limits.resultBytesMax)
  const read = (statement: Statement, caller: string, { signal, mode }: Attempt): Promise<ReadResult> =>
    addresses.run('read', async (client, _, abort_signal) => {
      signal.throwIfAborted()
      const id = randomUUID()
      const query = `KILL QUERY WHERE query_id = '${id}' ASYNC`
      const stopKilling = onAbort(signal, () => client.command({ query }).catch(() => undefined))
      try {
        const { stream } = await client.exec({
          query: `${withConstants(statement)}\nFORMAT ${RESULT_FORMAT}`,
          query_params: statement.params,
          query_id: id,
          clickhouse_settings: { ...readSettings(limits, mode), ...settings, wait_end_of_query: 1 },
          abort_signal,
        })
        return await files.fill(caller, (path, isTooLarge) => pipeline(stream, createWriteStream(path), { signal: isTooLarge }))
      } finally {
        stopKilling()
      }
    })

  const close = async () => {
    await addresses.close()
    files.close()
  }
  return createGatedReader({ name: addresses.name, limits, stateOf, read, close })
}
