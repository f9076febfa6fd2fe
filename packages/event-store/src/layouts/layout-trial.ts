/**
 * Measures columns and indexes on a sample: the newest events are copied into a table of their own, which is queried for its values and
 * then given the candidates, so that their room and time are known rather than guessed.
 * The table is a staging table, so that it is dropped after a crash.
 */
import { randomBytes } from 'node:crypto'
import { storedInteger, storedText } from '@deployment-annotations/apl/sql/field'
import type { Engine } from '../engine/engine.ts'
import { EVENT_COLUMNS } from '../schema/event-table.ts'
import { addLayout, buildLayouts, type FieldLayout, layoutName } from '../schema/field-layout.ts'
import type { EventTables } from '../tables/event-tables.ts'

/** A field whose values all have one type. */
export interface SampledField {
  path: string
  type: 'string' | 'integer'
}

/** Statistics of the values of a field in a sample. */
export interface FieldSample extends SampledField {
  /** How many events have the field. */
  count: number
  /** How many different values there are, approximately. */
  distinct: number
  /** How many of them the earlier half of the sample has. */
  distinctEarlier: number
  /** The mean length in bytes. */
  length: number
  /** The mean number of words; 0 for numbers. */
  words: number
}

export interface LayoutCost {
  layout: FieldLayout
  /** Bytes for each event. */
  bytes: number
}

interface LayoutTrial extends AsyncDisposable {
  /** How many rows the sample has. */
  rows: number
  /** Bytes of an event without columns and indexes. */
  bytes: number
  describe(fields: readonly SampledField[]): Promise<FieldSample[]>
  /** @throws if the engine does not support the index */
  measure(layout: FieldLayout): Promise<LayoutCost>
}

/** @param rows how many of the newest events are copied */
export async function openLayoutTrial(tables: EventTables, table: string, rows: number): Promise<LayoutTrial> {
  const { engine } = tables
  const trial = `staging_${randomBytes(10).toString('hex')}`
  const drop = () => tables.drop(trial)
  await tables.create(trial)
  try {
    // Each column gets files of its own, as in merged parts, because its size is not known otherwise.
    await engine.run(`ALTER TABLE ${trial} MODIFY SETTING min_level_for_wide_part = 0, min_bytes_for_wide_part = 0`)
    const columns = EVENT_COLUMNS.join(', ')
    await engine.run(
      `INSERT INTO ${trial} (${columns}) SELECT ${columns} FROM ${table} ORDER BY _time DESC, _row DESC LIMIT ${rows} SETTINGS max_threads = 1, max_insert_threads = 1, min_insert_block_size_rows = ${rows}`,
    )
    const [row] = await engine.select<{ rows: string; bytes: string }>(
      'SELECT toString(sum(parts.rows)) AS rows, toString(sum(bytes_on_disk)) AS bytes FROM system.parts AS parts WHERE active AND database = currentDatabase() AND table = {trial:String}',
      { trial },
    )
    const copied = Number(row?.rows ?? 0)
    return {
      rows: copied,
      bytes: Number(row?.bytes ?? 0) / copied,
      describe: (fields) => describe(engine, trial, fields),
      measure: (layout) => measure(engine, trial, layout, copied),
      [Symbol.asyncDispose]: drop,
    }
  } catch (error) {
    await drop().catch(() => undefined)
    throw error
  }
}

async function describe(engine: Engine, trial: string, fields: readonly SampledField[]): Promise<FieldSample[]> {
  const statistics = fields.map(({ path, type }) => {
    const value = type === 'integer' ? storedInteger(path) : storedText(path)
    const counts = `toFloat64(count(${value})), toFloat64(uniq(${value})), toFloat64(uniqIf(${value}, _time < middle))`
    if (type === 'integer') return `[${counts}, 8, 0]`
    return `[${counts}, ifNull(avg(length(${value})), 0), ifNull(avg(length(splitByNonAlpha(ifNull(${value}, '')))), 0)]`
  })
  const [row] = await engine.select<{ statistics: [number, number, number, number, number][] }>(
    `WITH (SELECT quantileExact(_time) FROM ${trial}) AS middle
      SELECT [${statistics.join(', ')}] AS statistics FROM ${trial} SETTINGS max_threads = 1`,
  )
  return fields.map((field, at) => {
    const [count, distinct, distinctEarlier, length, words] = row?.statistics[at] ?? [0, 0, 0, 0, 0]
    return { ...field, count, distinct, distinctEarlier, length, words }
  })
}

async function measure(engine: Engine, trial: string, layout: FieldLayout, rows: number): Promise<LayoutCost> {
  const name = layoutName(layout)
  for (const statement of addLayout(trial, layout)) await engine.run(statement)
  await engine.run(buildLayouts(trial, [name], true))
  const [row] = await engine.select<{ bytes: string }>(
    `SELECT toString(
        (SELECT sum(column_bytes_on_disk) FROM system.parts_columns WHERE active AND database = currentDatabase() AND table = {trial:String} AND column = {name:String})
      + (SELECT sum(data_compressed_bytes + marks_bytes) FROM system.data_skipping_indices WHERE database = currentDatabase() AND table = {trial:String} AND name = {name:String})) AS bytes`,
    { trial, name },
  )
  return { layout, bytes: Number(row?.bytes ?? 0) / rows }
}
