/**
 * A running service as the source of an export, asked over HTTP. Reads are repeated while the service is away for a moment.
 * Deliberately not here: what it answers; see routes/export.ts.
 */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf, type Call, requestOf } from '@deployment-annotations/contract/call'
import { CHUNK_HEADER, EXPORT_CALLS } from '@deployment-annotations/contract/export'
import type { MovedTable } from '@deployment-annotations/records/database/all-records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { ListedChunk } from './directory.ts'
import type { Plan } from './export-plan.ts'
import { END_LINE, fromLine } from './record-lines.ts'
import type { ExportSource } from './source.ts'

const TRIES_MAX = 6
const FIRST_PAUSE_MS = 250
/** What the paths of all tables begin with. */
const { path: EVENTS_PATH } = addressOf(EXPORT_CALLS.events, '')

export function createRemoteSource(service: URL, token: string): ExportSource {
  const ask = (call: Call, ...given: unknown[]) => {
    const { path, query } = requestOf(call, given)
    return askService(new URL(`${path}?${new URLSearchParams(query)}`.slice(1), withSlash(service)), token)
  }
  return {
    plan: () => repeated(async () => (await (await ask(EXPORT_CALLS.plan)).json()) as Plan),

    readChunk: (table, { after, sysTimeNsMax, rowsMax }) =>
      repeated(async () => {
        const query = { sysTimeNsMax, rowsMax: String(rowsMax), ...(after && { after: `${after.timeNs},${after.row}` }) }
        const response = await ask(EXPORT_CALLS.events, table, query)
        if (response.status === 204) return undefined
        const body = new Uint8Array(await response.arrayBuffer())
        const chunk = JSON.parse(response.headers.get(CHUNK_HEADER) ?? '{}') as ListedChunk
        if (chunk.fileBytes !== body.byteLength) throw new AwayError(`the answer of ${service.origin} was cut`)
        const { fileBytes: _, ...rest } = chunk
        return { ...rest, body }
      }),

    async readRecords(take) {
      const { body } = await repeated(() => ask(EXPORT_CALLS.records))
      let table: MovedTable | undefined
      for await (const line of createInterface({ input: Readable.fromWeb(body as ReadableStream) })) {
        if (line === END_LINE) return
        const isName = line.startsWith('"')
        if (isName) table = JSON.parse(line) as MovedTable
        else if (table) await take(table, fromLine(line))
      }
      throw new Error(`the records of ${service.origin} were cut; run the same command again`)
    },
  }
}

/** Worth another try. */
class AwayError extends Error {}

async function askService(url: URL, token: string): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'error' })
  } catch (cause) {
    const { cause: reason = cause } = cause as Error
    throw new AwayError(`${url.origin} cannot be reached: ${reason instanceof Error ? reason.message : reason}`, { cause })
  }
  if (response.ok) return response
  const said = `${url.origin}${url.pathname} answered ${response.status}: ${(await response.text().catch(() => '')).slice(0, 500)}`
  if (response.status === 404 && url.pathname.includes(EVENTS_PATH)) throw new ServiceError('not_found', said)
  if (response.status >= 500 || response.status === 429) throw new AwayError(said)
  throw new Error(said)
}

async function repeated<T>(task: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await task()
    } catch (error) {
      // A body that breaks off is a TypeError of fetch.
      if (!(error instanceof AwayError || error instanceof TypeError) || tries === TRIES_MAX) throw error
      await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
}

function withSlash(url: URL): URL {
  return url.href.endsWith('/') ? url : new URL(`${url.href}/`)
}
