/**
 * `/v2/export`: what a running service gives to `annotation-service export --url`. For personal tokens only, because it is all data of
 * the service. Deliberately not here: how it is read from the store and the records; see transfer/source.ts.
 */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { CHUNK_HEADER, EXPORT } from '@deployment-annotations/contract/export'
import type { FastifyInstance } from 'fastify'
import { route, writtenRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { END_LINE, toLine } from '../transfer/record-lines.ts'
import type { ExportSource } from '../transfer/source.ts'

export function addExportRoutes(app: FastifyInstance, { exported: source }: Parts): void {
  route(app, EXPORT.plan, () => source.plan())

  writtenRoute(app, EXPORT.events, async ({ params, query }, reply) => {
    const { sysTimeNsMax, rowsMax, after } = query
    const [timeNs = '', row = ''] = after?.split(',') ?? []
    const chunk = await source.readChunk(params.table, {
      sysTimeNsMax,
      rowsMax: Number(rowsMax),
      ...(after !== undefined && { after: { timeNs, row } }),
    })
    if (!chunk) return reply.status(204).send()
    const { body, ...listed } = chunk
    return reply
      .header(CHUNK_HEADER, JSON.stringify({ ...listed, fileBytes: body.byteLength }))
      .type(EXPORT.events.media)
      .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
  })

  writtenRoute(app, EXPORT.records, async (_, reply) => {
    const lines = new PassThrough()
    // Readers expect the last line, and so notice an answer that was cut off.
    writeRecords(source, lines).catch((error: Error) => lines.destroy(error))
    return reply.type(EXPORT.records.media).send(lines)
  })
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
