/**
 * Where an export comes from: the parts of this process that have the events and records open. The service offers the same over
 * HTTP, see routes/export.ts, and remote-source.ts asks for it.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { MissingTableError } from '@deployment-annotations/event-store/engine/engine-failures'
import type { Chunk, ChunkRequest, EventChunks } from '@deployment-annotations/event-store/tables/event-chunks'
import type { MovedTable, RecordRow } from '@deployment-annotations/records/database/all-records'
import { RECORD_TABLES, readRows } from '@deployment-annotations/records/database/all-records'
import type { Records } from '@deployment-annotations/records/database/records'
import { readSetting } from '@deployment-annotations/records/database/settings-records'
import { RECORDS_VERSION } from '@deployment-annotations/records/migrations/migrations'
import { MEASUREMENTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Plan, PlannedTable } from './export-plan.ts'

/** A chunk of events as it is kept in a file: its rows compressed. */
interface PackedChunk extends Omit<Chunk, 'native'> {
  body: Uint8Array
  /** Before compression. */
  bytes: number
}

export interface ExportSource {
  /** To be called first. */
  plan(): Promise<Plan>
  /** @returns the next rows of a table; `undefined` behind the last one. @throws ServiceError `not_found` if the dataset was deleted */
  readChunk(table: string, request: ChunkRequest): Promise<PackedChunk | undefined>
  /** To be called last. All records, table by table, from one state. @param take gets each row, one after the other */
  readRecords(take: (table: MovedTable, row: RecordRow) => void | Promise<void>): Promise<void>
}

interface LocalParts {
  records: Records
  chunks: EventChunks
  /** Resolves when all events that were acknowledged are in their tables. */
  settle(): Promise<void>
  /** Version of this program. */
  program: string
  /** Nobody else has these open. */
  isStopped: boolean
}

const compress = promisify(zstdCompress)
/** Fast: rows of one kind shrink to a tenth and less even so. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/**
 * Small requests without a key have no record by which a part of them could be settled. Those that were under way when the tables
 * were measured are stored within this time, before the first rows are read, so that they are exported whole.
 */
const UNDER_WAY_MS = 1_000

export function createLocalSource({ records, chunks, settle, program, isStopped }: LocalParts): ExportSource {
  /** @returns nothing where the dataset was deleted meanwhile */
  async function measure(table: string, dataset: string): Promise<PlannedTable | undefined> {
    try {
      const { rows, sysTimeNs } = await chunks.measure(table)
      return { table, dataset, rows, sysTimeNsMax: sysTimeNs }
    } catch (error) {
      if (!(error instanceof MissingTableError)) throw error
      await requireDeleted(records, table, dataset)
      return undefined
    }
  }

  return {
    async plan() {
      await settle()
      // In this order: the rows of a request that is complete are there when the tables are measured.
      const { datasets, requests, source } = await records.snapshot(async (db) => ({
        datasets: await db.selectFrom('datasets').select(['table_name', 'name']).where('state', '=', 'live').execute(),
        requests: await db.selectFrom('ingest_requests').select('id').where('state', '=', 'done').execute(),
        source: (await readSetting(db, 'id')) ?? '',
      }))
      const measurements = new Gate(MEASUREMENTS)
      const sorted = datasets.sort((a, b) => (a.name < b.name ? -1 : 1))
      const measured = sorted.map(({ table_name: table, name: dataset }) => measurements.run(() => measure(table, dataset)))
      const tables = (await Promise.all(measured)).filter((planned) => planned !== undefined)
      if (!isStopped) await sleep(UNDER_WAY_MS)
      const completeRequests = requests.map(({ id }) => id)
      return { source, program, recordsVersion: RECORDS_VERSION, tables, completeRequests, isStopped }
    },

    async readChunk(table, request) {
      const chunk = await chunks.read(table, request).catch((cause: unknown) => {
        throw cause instanceof MissingTableError ? new ServiceError('not_found', 'the dataset was deleted', { cause }) : cause
      })
      if (!chunk) return undefined
      const { native, ...rest } = chunk
      return { ...rest, bytes: native.byteLength, body: await compress(native, COMPRESSION) }
    },

    readRecords: (take) =>
      records.snapshot(async (db) => {
        for (const table of RECORD_TABLES) for await (const row of readRows(db, table)) await take(table, row)
      }),
  }
}

/** A table may only be missing where its dataset was deleted meanwhile. */
async function requireDeleted({ read }: Records, table: string, dataset: string): Promise<void> {
  const live = await read.selectFrom('datasets').select('name').where('table_name', '=', table).executeTakeFirst()
  if (!live) return
  throw new ServiceError(
    'unavailable',
    `the events of the dataset ${dataset} are missing, so they cannot be exported; bring them back, or delete the dataset to export the others`,
  )
}
