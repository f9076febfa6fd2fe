/**
 * What becomes of words that an earlier version stored: verdicts, types, members of saved views, and queries of annotations.
 */
import { expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { readYaml } from '../../../__tests__/support/read-yaml.ts'
import { insertRow } from './insert-row.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()

type Row = Record<string, unknown>
const ROWS = readYaml<{ rows: [table: string, before: Row, after: Row][] }>(import.meta.url, 'standard-names.yaml').rows
const toCells = (row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, typeof cell === 'string' ? cell : JSON.stringify(cell)]))

places.each((at) => {
  test('the first start renames them, and leaves what people wrote and how their datasets are called', async () => {
    await at.records.transaction(async (db) => {
      await sql`alter table annotations rename column verdict_details to judgement`.execute(db)
      for (const [id, [table, before]] of ROWS.entries()) await insertRow(db, table, { ...toCells(before), id: `${id}` })
      await sql`alter table datasets drop column indexed_fields`.execute(db)
      await sql`alter table datasets drop column strict_time`.execute(db)
      await sql`delete from kysely_migration where name >= '0014-standard-names'`.execute(db)
    })
    const { read } = await at.again()
    for (const [id, [table, , after]] of ROWS.entries()) {
      const { rows } = await sql`select * from ${sql.table(table)} where id = ${`${id}`}`.execute(read)
      expect(rows).toEqual([expect.objectContaining(toCells(after))])
    }
  })
})
