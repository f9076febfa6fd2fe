/**
 * The statements that are the same for every table of records with an id. Each takes the database to use, so that several are one
 * transaction. Deliberately not here: who may change the records of a table at a time.
 */
import type { RecordsDatabase } from './records.ts'

type TableName = 'integrations' | 'monitors' | 'notifiers' | 'saved_queries' | 'saved_views' | 'tokens'

interface Codec<Value, Row> {
  fromRow(row: Row): Value
  toRow(value: Value): Row
}

/** @param order the columns in whose order the records are listed */
export function recordTable<Value extends { id: string }, Row>(
  name: TableName,
  { fromRow, toRow }: Codec<Value, Row>,
  order: readonly 'created_at'[] = [],
) {
  // The columns that are used here are those of any of the tables.
  const table = name as 'tokens'
  const read = (row: unknown): Value => fromRow(row as Row)
  const withId = (db: RecordsDatabase, id: string) => db.selectFrom(table).selectAll().where('id', '=', id)
  return {
    /** @returns all of them, the oldest first */
    async list(db: RecordsDatabase): Promise<Value[]> {
      const ordered = order.reduce((query, column) => query.orderBy(column), db.selectFrom(table).selectAll())
      return (await ordered.orderBy('id').execute()).map(read)
    },

    async count(db: RecordsDatabase): Promise<number> {
      const count = db.selectFrom(table).select(({ fn }) => fn.countAll<bigint>().as('count'))
      return Number((await count.executeTakeFirstOrThrow()).count)
    },

    async find(db: RecordsDatabase, id: string): Promise<Value | undefined> {
      const row = await withId(db, id).executeTakeFirst()
      return row && read(row)
    },

    /** Finds it, and keeps others from changing it until the transaction ends. */
    async lock(db: RecordsDatabase, id: string): Promise<Value | undefined> {
      const row = await withId(db, id).forUpdate().executeTakeFirst()
      return row && read(row)
    },

    async insert(db: RecordsDatabase, value: Value): Promise<void> {
      const row = toRow(value) as never
      await db.insertInto(table).values(row).execute()
    },

    /** Replaces the one with the same id. */
    async update(db: RecordsDatabase, value: Value): Promise<void> {
      const row = toRow(value) as never
      await db.updateTable(table).set(row).where('id', '=', value.id).execute()
    },

    /** @returns whether there was one */
    async remove(db: RecordsDatabase, id: string): Promise<boolean> {
      const gone = await db.deleteFrom(table).where('id', '=', id).returning('id').executeTakeFirst()
      return gone !== undefined
    },
  }
}
