/**
 * The real engine in this process, in a temporary directory, with the table and settings the service uses.
 * One query at a time. Deliberately not here: anything of the service.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Session } from 'chdb'
import type { Dataset } from '../../src/compile.ts'
import type { Plan, Statement, Together } from '../../src/sql/plan.ts'

export interface StoredEvent {
  /** Nanoseconds since the epoch. */
  readonly timeNs: bigint
  readonly data: object
}

const SETTINGS = [
  'type_json_skip_duplicated_paths = 1',
  'input_format_try_infer_dates = 0',
  'input_format_try_infer_datetimes = 0',
  'input_format_json_read_bools_as_numbers = 0',
  'input_format_json_read_bools_as_strings = 0',
  'dynamic_throw_on_type_mismatch = 0',
  "date_time_output_format = 'iso'",
  'output_format_json_quote_64bit_integers = 0',
  'use_query_condition_cache = 0',
  'optimize_or_like_chain = 0',
]

export class Engine {
  readonly directory = mkdtempSync(join(tmpdir(), 'apl-test-'))
  readonly #session = new Session(join(this.directory, 'data'))
  #row = 0

  constructor() {
    for (const setting of SETTINGS) this.#session.query(`SET ${setting}`)
  }

  sql(text: string): void {
    this.#session.query(text)
  }

  /** Rows of cells. Integers beyond 2^53 arrive as text, so that none is rounded. */
  query({ sql, params }: Statement): unknown[][] {
    const text = this.#session.queryBind(sql, params, 'JSONCompactEachRow')
    return text.split('\n').filter(Boolean).map(parseExact) as unknown[][]
  }

  async load(dataset: Dataset, events: readonly StoredEvent[]): Promise<void> {
    this.sql(`CREATE TABLE IF NOT EXISTS \`${dataset.table}\` (_time DateTime64(9,'UTC') CODEC(Delta(8),ZSTD(1)), _sysTime DateTime64(9,'UTC'),
      _row UInt64 CODEC(Delta(8),ZSTD(1)), data JSON(max_dynamic_paths=256) CODEC(ZSTD(1))) ENGINE=MergeTree ORDER BY (_time,_row) SETTINGS min_level_for_wide_part=1`)
    const lines = events.map(
      ({ timeNs, data }) =>
        `{"_time":${timeNs},"_sysTime":1767225600000000000,"_row":${++this.#row},"data":${JSON.stringify(data)}}`,
    )
    if (lines.length > 0)
      await this.#session.insert({ table: dataset.table, format: 'JSONEachRow', values: Buffer.from(lines.join('\n')) })
  }

  async close(): Promise<void> {
    this.#session.close()
    // The engine's threads end on their own; leaving at once has been seen to crash.
    await new Promise((resolve) => setTimeout(resolve, 300))
    rmSync(this.directory, { recursive: true, force: true })
  }
}

function parseExact(line: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown
  return parse(line, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source) ? source : value,
  )
}

/** Each row as an object: stored fields come out of the whole event, JSON cells are parsed. */
export function readRows(
  { columns, cells }: Pick<Plan, 'columns'> & Partial<Pick<Plan, 'cells'>>,
  rows: readonly unknown[][],
): Record<string, unknown>[] {
  return rows.map((row) => {
    const whole = cells?.data === undefined ? {} : row[cells.data]
    return Object.fromEntries(
      columns.map(({ name, cell, encoding }) => {
        if (cell === undefined)
          return [
            name,
            name.split('.').reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], whole) ?? null,
          ]
        const value = row[cell]
        return [name, encoding === 'json' && typeof value === 'string' ? parseExact(value) : value]
      }),
    )
  })
}

/** Rows of a plan and of its totals, told apart. */
export function readTogether({ columns, cells, totals }: Together, rows: readonly unknown[][]) {
  const apart = [0, 1].map((mark) => rows.filter(([first]) => first === mark))
  const [bins = [], ofTotals = []] = apart
  return {
    bins: readRows({ columns }, bins),
    totals: readRows({ columns: totals }, ofTotals),
    matched: cells.matched === undefined ? undefined : bins[0]?.[cells.matched],
  }
}

/** The catalog's fields of some events, as the service keeps them at ingest. */
export function fieldsOf(events: readonly StoredEvent[]): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string) => {
    if (value === null || value === undefined) return
    if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) visit(inner, path === '' ? key : `${path}.${key}`)
      return
    }
    const type = Array.isArray(value)
      ? 'array'
      : typeof value === 'number'
        ? Number.isInteger(value) && Math.abs(value) < 2 ** 63
          ? 'integer'
          : 'float'
        : typeof value
    fields.set(path, (fields.get(path) ?? new Set()).add(type))
  }
  for (const { data } of events) visit(data, '')
  return fields
}
