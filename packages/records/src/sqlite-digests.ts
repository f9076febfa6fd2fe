/**
 * A digest of every row of the records in SQLite, which has no checksums of its own: a byte that flips inside a value is another value
 * there. Triggers of the database mark rows that were inserted or changed, whoever does it, and this program digests the marked rows in
 * the same transaction. So rows that an earlier version of the program or a person changed are right, too: they have no digest until the
 * next start. Deliberately not here: indexes, which SQLite compares with their rows itself (sqlite-check.ts), and what becomes of a row
 * that is not as it was written.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

/** Values here change all the time, and a wrong one only has something loaded again. */
const WITHOUT_DIGESTS = new Set(['versions', 'leases', 'digested_tables', 'row_digests'])

/** How many numbers of rows are compared by one statement, which takes some milliseconds. */
const SLICE_ROWS = 1_000
/** A key that is damaged may be long. */
const KEY_CHARS_MAX = 100

const TABLES = [
  'CREATE TABLE IF NOT EXISTS digested_tables (id integer PRIMARY KEY, name text NOT NULL UNIQUE, columns text NOT NULL)',
  `CREATE TABLE IF NOT EXISTS row_digests (kind integer NOT NULL, row integer NOT NULL, digest integer,
    PRIMARY KEY (kind, row)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS row_digests_unmade ON row_digests (kind, row) WHERE digest IS NULL',
]

interface DigestedTable {
  id: number
  name: string
  /** The names of the columns that the digests are of, as JSON. */
  columns: string
}

/** A row that is not as it was written. */
interface ChangedRow {
  table: string
  /** The key of the row as it is now, such as `id "a1b2"`, or its number if it is gone. */
  row: string
  problem: string
}

export class RowDigests {
  readonly #db: DatabaseSync
  /** Each makes the digests that a table lacks. */
  readonly #making = new Map<number, StatementSync>()
  #unmade: StatementSync | undefined

  /** @param db need not have digests yet */
  constructor(db: DatabaseSync) {
    this.#db = db
    db.function('digest_of', { deterministic: true }, (text) => crc32(String(text)))
  }

  /**
   * Begins to digest what is not digested yet, such as all rows of a table whose columns are others than before. Runs as part of a
   * transaction, after the tables were made.
   */
  cover(): void {
    for (const statement of TABLES) this.#db.exec(statement)
    const covered = this.#tables()
    for (const name of this.#names()) {
      const columns = JSON.stringify(this.#columnsOf(name).map((column) => column.name))
      const table = covered.find((one) => one.name === name)
      if (table?.columns === columns && this.#hasTriggers(table)) continue
      this.#run('INSERT INTO digested_tables (name, columns) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET columns = ?', [
        name,
        columns,
        columns,
      ])
      this.#begin(this.#tables().find((one) => one.name === name) as DigestedTable)
    }
    this.make()
  }

  /** Makes the digests of rows that were inserted or changed. Runs as part of their transaction. */
  make(): void {
    this.#unmade ??= this.#db.prepare('SELECT DISTINCT kind FROM row_digests INDEXED BY row_digests_unmade WHERE digest IS NULL')
    for (const { kind } of this.#unmade.all()) {
      let making = this.#making.get(Number(kind))
      if (!making) {
        const table = this.#tables().find(({ id }) => id === Number(kind)) as DigestedTable
        making = this.#db.prepare(`UPDATE row_digests INDEXED BY row_digests_unmade
          SET digest = (SELECT ${contentOf(table)} FROM ${quoted(table.name)} AS t WHERE t.rowid = row_digests.row)
          WHERE kind = ${table.id} AND digest IS NULL`)
        this.#making.set(table.id, making)
      }
      making.run()
    }
  }

  /** Compares all rows with their digests; returns after each slice of them, so that others have their turn. */
  *compare(): Generator<readonly ChangedRow[]> {
    for (const table of this.#tables()) {
      try {
        yield* this.#compareTable(table)
      } catch (error) {
        yield [{ table: table.name, row: 'some rows', problem: `they cannot be read: ${(error as Error).message}` }]
      }
    }
  }

  /** Takes all rows for right as they are. Runs as part of a transaction. */
  accept(): void {
    for (const table of this.#tables()) this.#begin(table)
    this.make()
  }

  *#compareTable(table: DigestedTable): Generator<readonly ChangedRow[]> {
    const name = quoted(table.name)
    const [bounds] = this.#all(`SELECT min(row) AS first, max(row) AS last FROM (SELECT min(rowid) AS row FROM ${name} UNION ALL
      SELECT max(rowid) FROM ${name} UNION ALL SELECT min(row) FROM row_digests WHERE kind = ${table.id} UNION ALL
      SELECT max(row) FROM row_digests WHERE kind = ${table.id})`)
    if (bounds?.last === null) return
    const changed = this.#db.prepare(`WITH compared AS MATERIALIZED (
        SELECT t.rowid AS row, d.row AS known, d.digest AS kept, ${contentOf(table)} AS made FROM ${name} AS t
        LEFT JOIN row_digests AS d ON d.kind = ${table.id} AND d.row = t.rowid WHERE t.rowid BETWEEN ? AND ?)
      SELECT row, kept, made FROM compared WHERE known IS NULL OR kept <> made`)
    const gone =
      this.#db.prepare(`SELECT row, digest AS kept FROM row_digests AS d WHERE kind = ${table.id} AND row BETWEEN ? AND ?
      AND NOT EXISTS (SELECT 1 FROM ${name} AS t WHERE t.rowid = d.row)`)
    const found: Difference[] = []
    for (let from = Number(bounds?.first); from <= Number(bounds?.last); from += SLICE_ROWS) {
      const to = from + SLICE_ROWS - 1
      found.push(...(changed.all(from, to) as unknown as Difference[]))
      found.push(...(gone.all(from, to) as unknown as Difference[]))
      yield []
    }
    if (!isRenumbered(found)) yield found.map((one) => this.#describe(table, one))
  }

  #describe({ name: table }: DigestedTable, { row, kept, made }: Difference): ChangedRow {
    if (made === undefined) return { table, row: `number ${row}`, problem: 'it is gone' }
    const keys = this.#columnsOf(table).filter(({ pk }) => pk > 0)
    const [values = {}] = this.#all(
      `SELECT ${keys.map((key) => quoted(key.name)).join()} FROM ${quoted(table)} WHERE rowid = ${row}`,
    )
    const shown = keys.map((key) => `${key.name} ${JSON.stringify(String(values[key.name])).slice(0, KEY_CHARS_MAX)}`)
    return { table, row: shown.join(', '), problem: kept === null ? 'nothing wrote it' : 'it is not as it was written' }
  }

  /** Marks all rows of a table, and those that will be changed. */
  #begin({ id, name }: DigestedTable): void {
    this.#making.delete(id)
    this.#run(`DELETE FROM row_digests WHERE kind = ${id}`)
    this.#run(`INSERT INTO row_digests (kind, row) SELECT ${id}, rowid FROM ${quoted(name)}`)
    for (const [trigger, statement] of Object.entries(triggersOf(id, name)))
      this.#db.exec(`DROP TRIGGER IF EXISTS ${quoted(trigger)}; ${statement}`)
  }

  #hasTriggers({ id, name }: DigestedTable): boolean {
    const wanted = triggersOf(id, name)
    const there = this.#all("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", [name])
    return Object.entries(wanted).every(([trigger, sql]) => there.some((one) => one.name === trigger && one.sql === sql))
  }

  /** @returns the tables that have digests; none if nobody began to make any */
  #tables(): DigestedTable[] {
    if (this.#all("SELECT 1 FROM sqlite_master WHERE name = 'digested_tables'").length === 0) return []
    const there = new Set(this.#names())
    const tables = this.#all('SELECT id, name, columns FROM digested_tables') as unknown as DigestedTable[]
    return tables.filter(({ name }) => there.has(name)).map(({ id, ...rest }) => ({ ...rest, id: Number(id) }))
  }

  #names(): string[] {
    const names = this.#all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name))
    return names.filter((name) => !/^(?:sqlite|kysely)_/.test(name) && !WITHOUT_DIGESTS.has(name))
  }

  #columnsOf(table: string): { name: string; pk: number }[] {
    return this.#all(`PRAGMA table_info(${quoted(table)})`).map(({ name, pk }) => ({ name: String(name), pk: Number(pk) }))
  }

  #all(statement: string, values: readonly string[] = []): Record<string, unknown>[] {
    return this.#db.prepare(statement).all(...values)
  }

  #run(statement: string, values: readonly string[] = []): void {
    this.#db.prepare(statement).run(...values)
  }
}

/** @returns for example `annotations, id "a1b2": it is not as it was written` */
export const describeRow = ({ table, row, problem }: ChangedRow): string => `${table}, ${row}: ${problem}`

interface Difference {
  row: number | bigint
  /** The digest that is stored; null if there is none. */
  kept: number | null
  /** That of the row as it is; absent if it is gone. */
  made?: number
}

/** Whether the same rows only have other numbers, as after a `VACUUM`. */
function isRenumbered(found: readonly Difference[]): boolean {
  const kept = found.flatMap((one) => (one.kept === null ? [] : [one.kept]))
  const made = found.flatMap((one) => (one.made === undefined ? [] : [one.made]))
  return found.length > 0 && kept.sort().join() === made.sort().join()
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** An SQL expression for the digest of a row `t`. The length of a text in hexadecimal digits says where it ends. */
function contentOf({ columns }: DigestedTable): string {
  const names = (JSON.parse(columns) as string[]).map((name) => `t.${quoted(name)}`)
  return `digest_of(concat_ws('|', ${names.map((name) => `typeof(${name}), hex(${name})`).join()}))`
}

/** They need nothing that another program would not have. */
function triggersOf(id: number, table: string): Record<string, string> {
  const mark = (row: string) =>
    `INSERT INTO row_digests (kind, row) VALUES (${id}, ${row}) ON CONFLICT (kind, row) DO UPDATE SET digest = NULL;`
  const forget = `DELETE FROM row_digests WHERE kind = ${id} AND row = old.rowid;`
  const make = (when: string, what: string) =>
    `CREATE TRIGGER ${quoted(`${table}_${when}_digest`)} AFTER ${when} ON ${quoted(table)} BEGIN ${what} END`
  return {
    [`${table}_INSERT_digest`]: make('INSERT', mark('new.rowid')),
    [`${table}_UPDATE_digest`]: make('UPDATE', mark('new.rowid')),
    [`${table}_DELETE_digest`]: make('DELETE', forget),
  }
}
