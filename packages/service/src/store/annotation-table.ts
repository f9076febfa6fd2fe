/**
 * The annotation store over the table `annotations`: rows to annotations and back, and the statements in between.
 * Statements are fixed texts; what varies is bound.
 */
import { Batcher } from '../concurrency/batcher.ts'
import { BATCHED_ROWS } from '../concurrency/queue-bounds.ts'
import type { BoundValue, BoundValues, Engine, Row } from './engine.ts'
import type { AnnotationStore, ListPosition, Provenance, StoredAnnotation, StoredChange, StoredFilter } from './store.ts'

/** Rows of one statement at most. */
const ONE_STATEMENT = { rows: 1_000, bytes: Number.POSITIVE_INFINITY }
/** A read that takes longer is stopped, so that it cannot hold up the others for long. */
const READ_LIMIT = 'SETTINGS max_execution_time = 10'

interface AnnotationRow {
  id: string
  datasets: string[]
  time_ns_text: string
  end_time_ns_text: string | null
  title: string
  description: string
  type: string
  url: string
}

// 64-bit integers leave as text: JSON numbers would be rounded. The names differ from the columns', which filters refer to.
const MEMBERS = `id, datasets, toString(time_ns) AS time_ns_text, toString(end_time_ns) AS end_time_ns_text, title, description, type, url`

export function createAnnotationTable(engine: Engine): AnnotationStore {
  const inserts = new Batcher<Row, void>({
    async work(rows) {
      await engine.insert('annotations', rows)
      return []
    },
    batchMax: ONE_STATEMENT,
    bound: BATCHED_ROWS,
  })
  const lookups = new Batcher<string, StoredAnnotation | undefined>({
    async work(ids) {
      const rows = await engine.select<AnnotationRow>(
        `SELECT ${MEMBERS} FROM annotations WHERE id IN {ids:Array(String)} ${READ_LIMIT}`,
        { ids },
      )
      const found = new Map(rows.map((row) => [row.id, fromRow(row)]))
      return ids.map((id) => found.get(id))
    },
    batchMax: ONE_STATEMENT,
    bound: BATCHED_ROWS,
  })
  return {
    create: (annotation, provenance) => inserts.add(toRow(annotation, provenance)),

    find: (id) => lookups.add(id),

    async findRepeated(key, sinceMs) {
      const rows = await engine.select<AnnotationRow & { repeat_payload: string }>(
        `SELECT ${MEMBERS}, repeat_payload FROM annotations
WHERE repeat_key = {key:String} AND created_at_ms >= {since:Int64} ORDER BY created_at_ms DESC LIMIT 1 ${READ_LIMIT}`,
        { key, since: String(sinceMs) },
      )
      return rows[0] && { annotation: fromRow(rows[0]), payload: rows[0].repeat_payload }
    },

    async list(filter, limit, after) {
      const { sql, values } = listStatement(filter, limit, after)
      return (await engine.select<AnnotationRow>(sql, values)).map(fromRow)
    },

    async change(id, change) {
      const columns = toColumns(change)
      const assignments = Object.keys(columns).map((column) => `${column} = {${column}:${COLUMN_TYPES[column as Column]}}`)
      if (assignments.length === 0) return
      await engine.run(`UPDATE annotations SET ${assignments.join(', ')} WHERE id = {id:String}`, { ...columns, id })
    },

    // As a patch, like an update: rewriting the part instead took twice as long.
    remove: (id) =>
      engine.run(`DELETE FROM annotations WHERE id = {id:String} SETTINGS lightweight_delete_mode = 'lightweight_update'`, {
        id,
      }),
  }
}

/** Rejects when annotations cannot be read. */
export function checkAnnotationTable(engine: Engine): Promise<void> {
  return engine.probe('SELECT id FROM annotations LIMIT 1')
}

function listStatement(
  filter: StoredFilter,
  limit: number,
  after: ListPosition | undefined,
): { sql: string; values: BoundValues } {
  const conditions: string[] = []
  const values: Record<string, BoundValue> = { limit }
  const require = (condition: string, bound: Record<string, BoundValue>) => {
    conditions.push(condition)
    Object.assign(values, bound)
  }
  if (filter.startNs !== undefined) {
    require('ifNull(end_time_ns, time_ns) >= {start:Int64}', { start: String(filter.startNs) })
  }
  if (filter.endNs !== undefined) require('time_ns <= {end:Int64}', { end: String(filter.endNs) })
  if (filter.datasets) require('hasAny(datasets, {datasets:Array(String)})', { datasets: filter.datasets })
  if (after) {
    require('(time_ns > {afterTime:Int64} OR (time_ns = {afterTime:Int64} AND id > {afterId:String}))', {
      afterTime: String(after.timeNs),
      afterId: after.id,
    })
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const sql = `SELECT ${MEMBERS} FROM annotations ${where} ORDER BY time_ns, id LIMIT {limit:UInt32} ${READ_LIMIT}`
  return { sql, values }
}

const COLUMN_TYPES = {
  datasets: 'Array(String)',
  time_ns: 'Int64',
  end_time_ns: 'Nullable(Int64)',
  title: 'String',
  description: 'String',
  type: 'String',
  url: 'String',
} as const
type Column = keyof typeof COLUMN_TYPES

function toColumns(change: StoredChange): Partial<Record<Column, BoundValue>> {
  const { datasets, timeNs, endTimeNs, title, description, type, url } = change
  const columns: Record<Column, BoundValue | undefined> = {
    datasets,
    time_ns: timeNs?.toString(),
    end_time_ns: endTimeNs?.toString(),
    title,
    description,
    type,
    url,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function toRow(annotation: StoredAnnotation, { createdAtMs, createdBy, repeat }: Provenance): Row {
  const { id, ...members } = annotation
  return {
    id,
    ...(toColumns(members) as Row),
    created_at_ms: String(createdAtMs),
    created_by: createdBy,
    repeat_key: repeat?.key ?? '',
    repeat_payload: repeat?.payload ?? '',
  }
}

function fromRow(row: AnnotationRow): StoredAnnotation {
  return {
    id: row.id,
    datasets: row.datasets,
    timeNs: BigInt(row.time_ns_text),
    ...(row.end_time_ns_text !== null && { endTimeNs: BigInt(row.end_time_ns_text) }),
    ...(row.title !== '' && { title: row.title }),
    ...(row.description !== '' && { description: row.description }),
    type: row.type,
    ...(row.url !== '' && { url: row.url }),
  }
}
