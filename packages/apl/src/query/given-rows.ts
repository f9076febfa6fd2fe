/**
 * Sources whose rows no table has: the service gives the statement their rows, as one constant. The service also chooses the rows and
 * applies the range of time; their columns are known beforehand.
 * Deliberately not here: which sources there are.
 */

import { Relation } from '../sql/relation.ts'
import { Select } from '../sql/select.ts'
import { json, typed, type Value } from '../sql/value.ts'
import type { Context } from '../values/context.ts'

/** The type of each column in the constant. Times are nanoseconds since the epoch; an array is read as its JSON text. */
const COLUMN_TYPES = {
  string: 'Nullable(String)',
  integer: 'Nullable(Int64)',
  float: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  datetime: 'Nullable(Int64)',
  array: 'Nullable(String)',
} as const

type GivenColumnType = keyof typeof COLUMN_TYPES

export interface GivenRows {
  readonly name: string
  /** What the statement calls the constant: JSON text of an array of rows, each `[_time, row, …columns]`, in base64. */
  readonly constant: string
  /** Beside `_time`, in the order of an answer; null may stand for any. */
  readonly columns: ReadonlyMap<string, GivenColumnType>
}

/** Rows that have a place in time, as those of a dataset have: `row` is unique among those of one time. */
export function givenRows({ constant, columns }: GivenRows, { aliases }: Context): Relation {
  const select = new Select({ kind: 'one' }, aliases)
  const row = aliases.column()
  const types = ['Int64', 'UInt64', ...[...columns.values()].map((type) => COLUMN_TYPES[type])]
  // Not a constant any more, because the engine would write the whole of it into the name of every column that is made of it.
  const text = `base64Decode(materialize(${constant}))`
  select.arrayJoins.push(`JSONExtract(${text}, 'Array(Tuple(${types.join(', ')}))') AS ${row}`)
  const cell = (at: number) => `tupleElement(${row}, ${at + 1})`
  const time = typed('datetime', timeOf(cell(0)), { nullable: false })
  const values = [...columns].map(([name, type], at): [string, Value] => [name, columnOf(type, cell(at + 2))])
  return new Relation({
    select,
    columns: new Map([['_time', time], ...values]),
    identity: { time, row: typed('integer', cell(1), { nullable: false }) },
  })
}

function columnOf(type: GivenColumnType, cell: string): Value {
  switch (type) {
    case 'float':
      return typed('real', cell)
    case 'datetime':
      return typed('datetime', timeOf(cell))
    case 'array':
      return json(cell, 'array')
    default:
      return typed(type, cell)
  }
}

const timeOf = (ns: string) => `fromUnixTimestamp64Nano(${ns}, 'UTC')`
