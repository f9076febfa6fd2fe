/**
 * The records: transactions that are whole, on disk, and alone; the same on SQLite and on PostgreSQL.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { sql } from 'kysely'
import type { Records, RecordsDatabase } from '../src/database/records.ts'
import { readVersions } from '../src/database/versions.ts'
import {
  addFields,
  NEW_SETTINGS,
  openDataset,
  readCatalogChanges,
  removeDataset,
  reserveDataset,
} from '../src/datasets/dataset-records.ts'
import { insertAsOf } from '../src/migrations/migrations.ts'
import { insertRow } from './insert-row.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()

const put = (name: string, value: string) => (db: RecordsDatabase) => db.insertInto('settings').values({ name, value }).execute()
const names = async ({ read }: Records) =>
  (await read.selectFrom('settings').select('name').where('name', '!=', 'lowest-version').orderBy('name').execute()).map(
    ({ name }) => name,
  )

places.each((at, place) => {
  test('a transaction that fails leaves nothing, and those beside it are whole', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        at.records.transaction(async (db) => {
          await put(`a${i}`, 'x')(db)
          if (i % 5 === 0) throw new Error(`not ${i}`)
          await put(`b${i}`, 'x')(db)
        }),
      ),
    )
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    expect(await names(at.records)).toHaveLength(80)
  })

  test('a statement that breaks a rule of the database fails alone', async () => {
    await at.records.transaction(put('taken', '1'))
    const results = await Promise.allSettled(['taken', 'one', 'two'].map((name) => at.records.transaction(put(name, '2'))))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  })

  test('nobody reads what is not committed', async () => {
    const seen: number[] = []
    let isDone = false
    const looking = (async () => {
      while (!isDone) {
        seen.push((await names(at.records)).length)
        await sleep(1)
      }
    })()
    for (let round = 0; round < 20; round++) {
      await at.records.transaction(async (db) => {
        for (let i = 0; i < 10; i++) await put(`${round}/${i}`, 'x')(db)
        await sleep(2)
      })
    }
    isDone = true
    await looking
    expect(seen.filter((count) => count % 10 !== 0)).toEqual([])
    expect(new Set(seen).size).toBeGreaterThan(5)
  })

  test('a row that is read for a change is changed by one at a time, by several services', async () => {
    const services = [at.records, await at.again(), await at.again()]
    await at.records.transaction(put('counter', '0'))
    const increment = (db: RecordsDatabase) =>
      db
        .selectFrom('settings')
        .selectAll()
        .where('name', '=', 'counter')
        .forUpdate()
        .executeTakeFirstOrThrow()
        .then(({ value }) =>
          db
            .updateTable('settings')
            .set({ value: String(Number(value) + 1) })
            .where('name', '=', 'counter')
            .execute(),
        )
    await Promise.all(Array.from({ length: 60 }, (_, i) => (services[i % 3] as Records).transaction(increment)))
    const { value } = await at.records.read
      .selectFrom('settings')
      .selectAll()
      .where('name', '=', 'counter')
      .executeTakeFirstOrThrow()
    expect(value).toBe('60')
  })

  test('integers of 64 bits and any text come back as they were', async () => {
    const edges = [-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n]
    const texts = ['', '\0', '\u0001', '\u00010', 'a\0b\u0001c', "it's \\ \\N \\x00", '😀\n\t', '"', 'null']
    for (const [i, text] of texts.entries()) {
      await at.records.transaction(put(`${i}`, text))
      const found = await at.records.read.selectFrom('settings').selectAll().where('value', '=', text).execute()
      expect(found).toEqual([{ name: `${i}`, value: text }])
    }
    for (const [i, version] of edges.entries()) {
      await at.records.transaction((db) =>
        db
          .insertInto('versions')
          .values({ kind: `${i}`, version })
          .execute(),
      )
    }
    const found = await at.records.read.selectFrom('versions').select('version').where('version', 'in', edges).execute()
    expect(found.map(({ version }) => version).sort((a, b) => (a < b ? -1 : 1))).toEqual(edges)
  })

  test('the clock of the database is the time of day', async () => {
    const { rows } = await sql<{ now: bigint }>`select ${at.records.nowMs} as now`.execute(at.records.read)
    expect(Math.abs(Number(rows[0]?.now) - Date.now())).toBeLessThan(2_000)
  })

  test('records of a newer program are refused by name', async () => {
    await at.records.transaction((db) =>
      sql`insert into kysely_migration (name, timestamp) values ('0999-later', 'now')`.execute(db),
    )
    await at.records.transaction((db) => sql`update settings set value = '0998-before' where name = 'lowest-version'`.execute(db))
    await expect(at.again()).rejects.toThrow(/newer version wrote the records.*0999-later.*needs 0998-before at least/)
  })

  test('records of a newer program are used where it says that they can be, as in a rolling restart and back', async () => {
    const { rows } = await sql<{ value: string }>`select value from settings where name = 'lowest-version'`.execute(
      at.records.read,
    )
    expect(rows).toEqual([{ value: '0014-standard-names' }])
    await at.records.transaction((db) =>
      sql`insert into kysely_migration (name, timestamp) values ('0999-later', 'now')`.execute(db),
    )
    const again = await at.again()
    await again.transaction(put('still', 'x'))
    expect(await names(at.records)).toContain('still')
    const insertion = again.transaction((db) => insertAsOf('0011-outbox-by-subject', db, async () => undefined))
    await expect(insertion).rejects.toThrow('a newer version made the tables of these records; import with that version')
  })

  test('rows of an earlier version are inserted into its tables, and tables of others stay', async () => {
    await at.records.transaction(async (db) => {
      await sql`create table of_others (n bigint)`.execute(db)
      await insertAsOf('0011-outbox-by-subject', db, async () => {
        await insertRow(db, 'notifiers', { id: 'n', kind: 'grafana', definition: '{}' })
        await sql`insert into remote_marks (notifier, annotation, remote) values ('n', 'a', '1')`.execute(db)
      })
    })
    for (const table of ['of_others', 'remote_marks', 'notifiers'])
      expect((await sql`select * from ${sql.table(table)}`.execute(at.records.read)).rows).toEqual([])
  })

  test('fields that several services learn at one moment are all there, and what one has saved costs the others nothing', async () => {
    const services = [at.records, await at.again(), await at.again()]
    const tables = Array.from({ length: 6 }, (_, i) => `events_${i}`)
    for (const table of tables) {
      const dataset = { ...NEW_SETTINGS, table, name: table, description: '', createdBy: '', retentionDays: 0 }
      await at.records.transaction((db) => reserveDataset(db, { ...dataset, createdAtMs: 1, updatedAtMs: 1 }))
      await at.records.transaction((db) => openDataset(db, table, dataset))
    }
    const removed = tables.slice(0, 3)
    const learn = async (records: Records, service: number) => {
      for (let round = 0; round < 15; round++) {
        const fields = new Map([
          [`both ${round}`, 2 ** service],
          [`of ${service} ${round}`, 1],
        ])
        const there = await records.transaction((db) =>
          addFields(
            db,
            tables.map((table) => ({ table, fields })),
          ),
        )
        expect([...there]).toEqual(expect.arrayContaining(tables.slice(3)))
      }
    }
    await Promise.all([
      ...services.map(learn),
      ...removed.map((table) => services[1]?.transaction((db) => removeDataset(db, table, 2))),
    ])
    const { fields } = await readCatalogChanges(at.records.read, -1n)
    const found = (table: string) => fields.filter((field) => field.table === table)
    expect(removed.map((table) => found(table).length)).toEqual([0, 0, 0])
    for (const table of tables.slice(3)) {
      expect(found(table)).toHaveLength(15 * 4)
      expect(found(table).filter(({ name, types }) => name.startsWith('both') && types === 7)).toHaveLength(15)
    }
    const versionOf = async () => (await readVersions(at.records.read)).catalogue
    const before = await versionOf()
    for (const [service, records] of services.entries()) await learn(records, service)
    expect(await versionOf()).toBe(before)
    if (place !== 'PostgreSQL') return
    const deadlocks = sql<{
      count: bigint
    }>`select deadlocks::bigint as count from pg_stat_database where datname = current_database()`
    expect((await deadlocks.execute(at.records.read)).rows).toEqual([{ count: 0n }])
  })

  test('several services that start at once on new records make them once', async () => {
    const services = await Promise.all([at.again(), at.again(), at.again()])
    await Promise.all(services.map((records, i) => records.transaction(put(`${i}`, 'x'))))
    expect(await names(at.records)).toEqual(['0', '1', '2'])
  })
})
