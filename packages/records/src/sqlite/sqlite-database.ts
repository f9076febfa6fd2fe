/**
 * Adapts `node:sqlite` to Kysely's dialect for SQLite: statements are prepared once, and integers arrive as bigint. Deliberately not
 * here: transactions; see sqlite-records.ts.
 */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

/** The size of the cache of prepared statements. There are about a hundred texts, and lists of values add variants. */
const STATEMENTS_MAX = 500
/**
 * How long one statement waits for another process, which blocks the event loop. Transactions wait without that; see sqlite-records.ts.
 */
const BUSY_MS_MAX = 1_000

/**
 * Every commit is on disk when its statement returns, which in WAL mode takes `synchronous = FULL` and one sync of one file.
 * A checkpoint truncates the write-ahead log to this size, so that one large transaction does not keep its disk space forever.
 * Checkpoints come every 4,000 pages instead of 1,000, because each blocks the event loop for two more syncs.
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

  /** Runs one statement without values and rows, such as the start of a transaction. */
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

  /** Whether one is open. */
  get isTransaction(): boolean {
    return this.#database.isTransaction
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }
}

/**
 * Runs SQLite's own check of a file. The quick one takes a fifth of the time, because it does not compare indexes with their tables.
 * @returns what SQLite finds wrong; empty if nothing
 * @throws Error of SQLite if the file cannot be read, or is no database
 */
export function checkFile(file: string, { isQuick = false } = {}): string[] {
  using database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare(isQuick ? 'PRAGMA quick_check' : 'PRAGMA integrity_check').all()
  const problems = rows.flatMap((row) => Object.values(row).map(String)).filter((problem) => problem !== 'ok')
  if (isQuick) return problems
  const lost = database.prepare('PRAGMA foreign_key_check').all()
  return [...problems, ...lost.map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that is not there`)]
}

/** Restricts the file to its owner. SQLite gives the files beside it the same permissions. */
function makeForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    // An existing file is not opened, because closing it would end the locks that this process has on it.
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
