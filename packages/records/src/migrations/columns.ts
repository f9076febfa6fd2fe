/**
 * Columns as most tables have them, for the migrations: a value in every row. In both databases a `bigint` has 64 bits.
 */
import type { CreateTableBuilder } from 'kysely'

type Table = CreateTableBuilder<string, string>

export const texts = (...names: string[]) => columns('text', names)
export const integers = (...names: string[]) => columns('bigint', names)

function columns(type: 'text' | 'bigint', names: readonly string[]) {
  return (table: Table) => names.reduce((made, name) => made.addColumn(name, type, (c) => c.notNull()), table)
}
