/**
 * The statements that are the same for every table of records with an id. Each takes the database to use, so that several are one
 * transaction. Deliberately not here: who may change the records of a table at a time.
 */
import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { RecordsDatabase } from './records.ts'
import { raiseVersion } from './versions.ts'

type TableName = 'annotations' | 'integrations' | 'monitors' | 'notifiers' | 'saved_queries' | 'saved_views' | 'tokens'

/** A record has a quarter of a MiB at most. */
const PAGE_RECORDS = 20

interface Codec<Value, Row> {
  fromRow(row: Row): Value
  toRow(value: Value): Row
}

/** Part of a transaction that makes one: others that do wait until it ends. @returns how many there are */
export async function lockAndCount(db: RecordsDatabase, name: 'monitors' | 'notifiers' | 'saved_views'): Promise<number> {
  await raiseVersion(db, name)
  const count = db.selectFrom(name).select(({ fn }) => fn.countAll<bigint>().as('count'))
  return Number((await count.executeTakeFirstOrThrow()).count)
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
  const inOrder = <Row>(query: SelectQueryBuilder<Tables, 'tokens', Row>) =>
    order.reduce((some, column) => some.orderBy(column), query).orderBy('id')
  const withId = (db: RecordsDatabase, id: string) => db.selectFrom(table).selectAll().where('id', '=', id)
  return {
    /** @returns all of them, the oldest first */
    async list(db: RecordsDatabase): Promise<Value[]> {
      return (await inOrder(db.selectFrom(table).selectAll()).execute()).map(read)
    },

    /** The same by pages, for records that may be large. */
    async *pages(db: RecordsDatabase): AsyncGenerator<Value[], void> {
      const ids = (await inOrder(db.selectFrom(table).select('id')).execute()).map(({ id }) => id)
      while (ids.length > 0) {
        const some = db.selectFrom(table).selectAll().where('id', 'in', ids.splice(0, PAGE_RECORDS))
        yield (await inOrder(some).execute()).map(read)
      }
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
