/**
 * Tables and indexes as the migrations make them, the same in both databases. A `bigint` has 64 bits in each.
 */
import type { ColumnDefinitionBuilder, CreateTableBuilder, SchemaModule } from 'kysely'

type Table = CreateTableBuilder<string, string>
type Part = (table: Table) => Table

/** @returns what makes columns of these names */
function columns(type: 'text' | 'bigint', define: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder) {
  return (...names: string[]): Part => {
    return (table) => names.reduce((made, name) => made.addColumn(name, type, define), table)
  }
}

/** The key of a table by itself. */
export const key = columns('text', (column) => column.primaryKey())
export const texts = columns('text', (column) => column.notNull())
export const integers = columns('bigint', (column) => column.notNull())
/** A row may have null here, as in the next. */
export const optionalTexts = columns('text', (column) => column)
export const optionalIntegers = columns('bigint', (column) => column)
export const uniqueTexts = columns('text', (column) => column.notNull().unique())
export const optionalUniqueTexts = columns('text', (column) => column.unique())
export const textsBy = (unset: string) => columns('text', (column) => column.notNull().defaultTo(unset))
export const integersBy = (unset: number) => columns('bigint', (column) => column.notNull().defaultTo(unset))
/** The row that a row belongs to, and is deleted with. @param target for example `monitors.id` */
export const owners = (target: string) => columns('text', (column) => column.notNull().references(target).onDelete('cascade'))
/** The key of a table by several columns. */
export const keyOf = (name: string, ...names: string[]): Part => {
  return (table) => table.addPrimaryKeyConstraint(name, names)
}

export async function createTable(schema: SchemaModule, name: string, ...parts: readonly Part[]): Promise<void> {
  await parts.reduce((made, part) => part(made), schema.createTable(name) as Table).execute()
}

export async function addColumns(schema: SchemaModule, table: string, ...parts: readonly Part[]): Promise<void> {
  // SQLite adds one column with a statement, and whoever changes a table says it in the words of whoever makes one.
  for (const part of parts) await part(schema.alterTable(table) as unknown as Table).execute()
}

/** @param name what the index is called: the table, `_by_`, and what is found by it */
export async function createIndex(schema: SchemaModule, name: string, ...names: string[]): Promise<void> {
  const [table = name] = name.split('_by_')
  await schema.createIndex(name).on(table).columns(names).execute()
}
