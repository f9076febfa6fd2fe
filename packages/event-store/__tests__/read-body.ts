/**
 * Reads a body with the real decoder and no service: what would be stored, and what would not.
 */
import type { IngestFailure } from '@deployment-annotations/contract/event'
import { CsvBody } from '../src/body/csv-body.ts'
import { JsonBody } from '../src/body/json-body.ts'
import { typesOf } from '../src/fields/field.ts'
import { FieldTransaction, FieldTree } from '../src/fields/field-tree.ts'
import { printRefusal, type RequestExtent } from '../src/rows/ingest-counts.ts'
import { createRowIds } from '../src/rows/row-ids.ts'
import { RowWriter } from '../src/rows/row-writer.ts'
import { parseLayout } from '../src/scan/go-layout.ts'
import { readBlocks } from './read-blocks.ts'

export interface ReadOptions {
  /** Bytes a chunk; the whole body in one by default. */
  chunkBytes?: number
  timestampField?: string
  timestampFormat?: string
  labels?: string
  tree?: FieldTree
  csv?: { delimiter?: string; fields?: string[] }
}

export interface ReadBody {
  /** The data of each stored event as JSON text. */
  data: string[]
  /** What is beside the data, by path. */
  rest: Record<string, string>[]
  /** Nanoseconds. */
  times: string[]
  failures: IngestFailure[]
  failed: number
  fields: Record<string, string>
  extent: RequestExtent
}

/** The receive time of every body here: 2026-01-02T03:04:05Z in ns. */
export const RECEIVED_NS = '1767323045000000000'

/** What every row of every body here has in `_sysTime`. */
export const SYS_TIME_NS = '1767323045000007169'

export async function readBody(body: string | Buffer, options: ReadOptions = {}): Promise<ReadBody> {
  const tree = options.tree ?? new FieldTree(1_024)
  using transaction = new FieldTransaction(tree)
  const layout = options.timestampFormat === undefined ? undefined : parseLayout(options.timestampFormat)
  if (typeof layout === 'string') throw new Error(layout)
  const writer = new RowWriter({
    tree,
    transaction,
    rowIds: createRowIds({ node: 0, startMs: 0, reservedMs: Number.POSITIVE_INFINITY, usedMs: 0 }),
    receivedNs: RECEIVED_NS,
    sysTimeNs: SYS_TIME_NS,
    timestampField: options.timestampField,
    layout,
    labels: options.labels === undefined ? undefined : Buffer.from(options.labels),
    isCsv: options.csv !== undefined,
  })
  const chunks = split(Buffer.from(body as string), options.chunkBytes ?? Number.POSITIVE_INFINITY)
  const reader = options.csv
    ? new CsvBody(writer, { csvDelimiter: options.csv.delimiter, csvFields: options.csv.fields })
    : new JsonBody(writer)
  for (const chunk of chunks) await reader.push(chunk)
  await reader.end()
  const rows = readBlocks(writer.drain().blocks.map(({ written }) => written))
  transaction.commit()
  return {
    data: rows.map(({ data }) => data),
    times: rows.map(({ time }) => time),
    rest: rows.map(({ rest }) => rest),
    failures: writer.tally.failures.map(printRefusal),
    failed: writer.tally.failed,
    fields: Object.fromEntries([...tree.root.fields()].map((node) => [node.name, typesOf(node.types).join('|')])),
    extent: writer.extent,
  }
}

function split(body: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += size) chunks.push(Buffer.from(body.subarray(at, Math.min(body.length, at + size))))
  return chunks
}
