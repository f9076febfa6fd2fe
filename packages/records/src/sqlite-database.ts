/**
 * `node:sqlite` in the form that Kysely's own dialect for SQLite expects: statements are prepared once, and integers arrive as
 * bigint. Deliberately not here: transactions; see sqlite-records.ts.
 */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

/** Prepared statements that are kept; there are about a hundred texts, and lists of values make more. */
const STATEMENTS_MAX = 500
/** How long one statement waits for another process, holding up everything here; transactions wait otherwise, see sqlite-records.ts. */
const BUSY_MS_MAX = 1_000

/**
 * Every commit is on disk when its statement returns: in WAL mode that takes `synchronous = FULL`, with one sync of one file.
 * A write-ahead log is cut back to this size after a checkpoint, so that one large transaction does not keep its disk forever.
 * Checkpoints come every 4,000 pages, not 1,000: each holds up everything here for two more syncs.
 */
const SETTINGS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'journal_size_limit = 67108864',
  'wal_autocheckpoint = 4000',
] as const

export class NodeSqlite implements SqliteDatabase {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(file: string, { isReadOnly = false } = {}) {
    if (!isReadOnly) makeForOwner(file)
    this.#database = new DatabaseSync(file, { readOnly: isReadOnly, timeout: BUSY_MS_MAX })
    if (isReadOnly) return
    for (const setting of SETTINGS) this.#database.exec(`PRAGMA ${setting}`)
    this.#database.exec('PRAGMA busy_timeout = 0')
  }

  /** One statement without values and rows, such as those around a transaction. */
  exec(sql: string): void {
    this.prepare(sql).run([])
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear()
    const statement = new NodeStatement(this.#database.prepare(sql))
    this.#statements.set(sql, statement)
    return statement
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }
}

/** What SQLite makes beside it may be read by the same people. */
function makeForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    // Not opened where it is there: to close it again would end this process's locks on it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

class NodeStatement implements SqliteStatement {
  readonly #statement: StatementSync
  readonly reader: boolean

  constructor(statement: StatementSync) {
    statement.setReadBigInts(true)
    this.#statement = statement
    this.reader = statement.columns().length > 0
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#statement.all(...(parameters as SQLInputValue[]))
  }

  run(parameters: readonly unknown[]) {
    return this.#statement.run(...(parameters as SQLInputValue[]))
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...(parameters as SQLInputValue[]))
  }
}
