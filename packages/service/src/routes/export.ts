/**
 * `/v2/export`: what a running service gives to `annotation-service export --url`. For personal tokens only, because it is all data of
 * the service. Deliberately not here: how it is read from the store and the records; see transfer/source.ts.
 */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance } from 'fastify'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { CHUNK_HEADER, END_LINE, EXPORT_EVENTS_PATH, EXPORT_PATH, EXPORT_RECORDS_PATH } from '../transfer/paths.ts'
import { toLine } from '../transfer/record-lines.ts'
import { type ExportSource, TableGoneError } from '../transfer/source.ts'
import { EVENTS, PLAN, RECORDS } from './schemas/export.ts'

export function addExportRoutes(app: FastifyInstance, { exported: source }: Parts): void {
  const routes = typed(app)
  routes.get(EXPORT_PATH, { config: { personal: true }, schema: PLAN, handler: () => source.plan() })

  routes.get(`${EXPORT_EVENTS_PATH}/:table`, {
    config: { personal: true },
    schema: EVENTS,
    handler: async ({ params, query }, reply) => {
      const { sysTimeNsMax, rowsMax, after } = query
      const [timeNs = '', row = ''] = after?.split(',') ?? []
      const chunk = await source
        .readChunk(params.table, {
          sysTimeNsMax,
          rowsMax: Number(rowsMax),
          ...(after !== undefined && { after: { timeNs, row } }),
        })
        .catch(asNotFound)
      if (!chunk) return reply.status(204).send()
      const { body, ...listed } = chunk
      return reply
        .header(CHUNK_HEADER, JSON.stringify({ ...listed, fileBytes: body.byteLength }))
        .header('cache-control', 'no-store')
        .type('application/zstd')
        .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
    },
  })

  routes.get(EXPORT_RECORDS_PATH, {
    config: { personal: true },
    schema: RECORDS,
    handler: async (_, reply) => {
      const lines = new PassThrough()
      // Readers expect the last line, and so notice an answer that was cut off.
      writeRecords(source, lines).catch((error: Error) => lines.destroy(error))
      return reply.header('cache-control', 'no-store').type('application/x-ndjson').send(lines)
    },
  })
}

function asNotFound(error: unknown): never {
  throw error instanceof TableGoneError ? new ServiceError('not_found', error.message, { cause: error }) : error
}

async function writeRecords(source: ExportSource, lines: PassThrough): Promise<void> {
  let current: string | undefined
  await source.readRecords(async (table, row) => {
    const line = `${table === current ? '' : `${JSON.stringify(table)}\n`}${toLine(row)}\n`
    current = table
    // A reader that went away destroys the stream, and then no more records are read.
    if (lines.destroyed) throw new Error('the reader of the records went away')
    if (!lines.write(line)) await Promise.race([once(lines, 'drain'), once(lines, 'close')])
  })
  lines.end(`${END_LINE}\n`)
}
