/**
 * The tables of events, one per dataset, and the staging tables of large requests: created, filled, joined, trimmed and dropped. This
 * class has the common part of all stores, with the SQL of schema/event-table.ts; each store in stores/ extends it with its
 * differences. Deliberately not here: the list of datasets, and queries.
 */
import { randomBytes } from 'node:crypto'
import type { BoundValues, Engine, InsertOptions } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'
import { JoinedBlocks } from '../native/event-block.ts'
import {
  addRest,
  applyDeletes,
  deleteRows,
  dropEventTable,
  dropPart,
  EVENT_COLUMNS,
  REST,
  setComment,
  setRetention,
  type TableNames,
} from '../schema/event-table.ts'
import { attachRows } from './attach-rows.ts'
import { COUNT_EACH, OF_REQUEST, REQUESTS_MAX, type RequestSpan } from './stored-requests.ts'
import { measureTables, type StoredSize } from './stored-size.ts'
import { TableWrites } from './table-writes.ts'

/** A request with few events, all of whose rows are complete. */
export interface SmallRequest {
  /** The table of the dataset. */
  table: string
  span: RequestSpan
  rows: number
  /** Saves what must be on disk before the rows are. */
  prepare(): Promise<void>
  /** @returns the rows, and a function to call once they are in their table */
  take(): { blocks: readonly Uint8Array[]; release(): void }
}

/** The pieces of a large request before it is acknowledged. */
export interface Pieces extends AsyncDisposable {
  /** @returns the table for a piece, and the token by which a server recognizes it if it may be sent again */
  targetOf(token: string): { table: string; token?: string }
  /** The part of the request's record that concerns the pieces. */
  readonly record: { stagingTable?: string }
  /** Makes all pieces part of the dataset; they are then on disk and visible. */
  join(): Promise<void>
}

const BEFORE = `fromUnixTimestamp64Nano({before:Int64}, 'UTC')`

/** If a smaller share of a table's rows is deleted, rewriting is not worth it, and the next merge removes them. */
const DELETED_SHARE_MIN = 0.1

/** NO_SUCH_DATA_PART: the part was merged with others a moment before. */
const NO_PART = '232'

export abstract class EventTables {
  readonly engine: Engine
  readonly names: TableNames
  /** When each table was written to, if this process can know it. */
  readonly writes = new TableWrites(false)
  /** Whether an insert is stored all or none; if not, every request has a record. */
  readonly insertsAreAtomic: boolean = true

  constructor(engine: Engine, names: TableNames) {
    this.engine = engine
    this.names = names
  }

  /** Creates a table; resolves when its definition is durable. May be repeated. @param comment see {@link setComment} */
  abstract create(table: string, comment?: string): Promise<void>

  /**
   * Opens a place for the pieces of a large request: a staging table, whose rows become part of the dataset's table in one step.
   * @param dataset its table is another one than now if another service creates the dataset first, so it is read when rows go there
   * @param begin puts the dataset and a record of the request on disk; called only if pieces go directly to the dataset
   */
  async openPieces(dataset: { readonly table: string }, _begin: () => Promise<unknown>): Promise<Pieces> {
    const stagingTable = `staging_${randomBytes(10).toString('hex')}`
    await this.create(stagingTable)
    return {
      targetOf: () => ({ table: stagingTable }),
      record: { stagingTable },
      join: () => this.join(stagingTable, dataset.table),
      // If the table cannot be dropped now, it is dropped at the next start; the outcome of the request stays the same.
      [Symbol.asyncDispose]: () => this.drop(stagingTable).catch(() => undefined),
    }
  }

  /** Makes all rows of a staging table part of another table at once. */
  protected async join(staging: string, table: string): Promise<void> {
    await this.writes.during(table, () => attachRows(this.engine, staging, table))
  }

  /** @returns the paths that any event of the table has, in the column `data` or beside it */
  async readPaths(table: string): Promise<ReadonlySet<string>> {
    await this.flush([table])
    // `distinctJSONPaths` also has paths of deleted rows, or, beside a deletion, none.
    const rows = await this.engine.select<{ path: string }>(
      'SELECT DISTINCT arrayJoin(arrayConcat(JSONAllPaths(data), rest.keys)) AS path FROM {table:Identifier}',
      { table },
    )
    return new Set(rows.map(({ path }) => path))
  }

  /** Gives tables of an earlier version the column for the rest of events. @returns these tables */
  async addRest(): Promise<string[]> {
    const tables = await listTables(this.engine, WITHOUT_REST)
    for (const statement of tables.flatMap((table) => addRest(table, this.names))) await this.engine.run(statement)
    return tables
  }

  async drop(table: string): Promise<void> {
    for (const statement of dropEventTable(table, this.names)) await this.engine.run(statement)
    this.writes.forget(table)
  }

  /** @returns all tables of events, including staging tables */
  list(): Promise<string[]> {
    return listTables(this.engine)
  }

  /**
   * Changes the definition of a table; resolves when it is durable.
   * @param _reserveBytes the disk space that is left free, if the disk is that of this process
   */
  async alter(_table: string, statement: string, _reserveBytes?: number): Promise<void> {
    await this.engine.run(statement)
  }

  /** Stores the name of the dataset in the table's comment, so that `fsck` can rebuild the catalog. */
  async setComment(table: string, comment: string): Promise<void> {
    await this.alter(table, setComment(table, comment, this.names))
  }

  /**
   * Resolves when it is set; existing events that are too old are removed afterwards.
   * @param days 0 keeps events forever
   */
  async setRetention(table: string, days: number): Promise<void> {
    for (const statement of setRetention(table, days, this.names)) await this.engine.run(statement)
  }

  /**
   * Inserts all rows or none; they are then on disk and visible. On a cluster this holds for each shard alone.
   * @param blocks of the format Native
   * @param options.token only for rows that may be sent again, byte for byte; if the rows were removed meanwhile, or others replace
   *   them, use another token
   * @throws ServiceError: nothing was stored unless it says `mayHaveTakenEffect`. Anything else: the rows may have been stored
   */
  async insert(table: string, blocks: readonly Uint8Array[], options: InsertOptions = {}): Promise<void> {
    using joined = new JoinedBlocks(blocks)
    await this.writes.during(table, () => this.insertRows(table, joined.blocks, options))
  }

  protected insertRows(table: string, blocks: readonly Uint8Array[], options: InsertOptions): Promise<void> {
    return this.engine.insertBlocks(table, EVENT_COLUMNS, blocks, options)
  }

  /**
   * Acknowledges rows before they are inserted, if that is quicker: a log has them then, and the next query sees them. A server has no
   * such log, because its other services could not see the rows in it.
   * @returns whether the rows are acknowledged; if not, insert them
   * @throws ServiceError `storage_full`
   */
  async writeAhead(_request: SmallRequest): Promise<boolean> {
    return false
  }

  /**
   * Resolves when everything that was acknowledged is in these tables, by default all.
   * @throws ServiceError `unavailable` if it cannot be stored there now
   */
  async flush(_tables?: readonly string[]): Promise<void> {}

  /** Removes the events older than `beforeNs`; no query finds them when it resolves. The room of whole parts is free by then, too. */
  async trim(table: string, beforeNs: bigint): Promise<void> {
    await this.dropOlder(table, beforeNs)
    const [older, values] = [`_time < ${BEFORE}`, { before: String(beforeNs) }]
    const left = await this.engine.select(`SELECT 1 FROM {table:Identifier} WHERE ${older} LIMIT 1`, { ...values, table })
    // A delete is only made for remaining rows, because it rewrites parts and needs room on the disk.
    if (left.length > 0) await this.deleteWhere(table, older, values)
  }

  /** Removes the rows that meet a condition; no query finds them when it resolves. */
  async deleteWhere(table: string, condition: string, values: BoundValues = {}): Promise<void> {
    await this.engine.run(deleteRows(table, condition, this.names), values)
  }

  /**
   * Drops parts whose events are all older than `beforeNs`, which takes no room and frees theirs at once. The engine knows the times of a
   * part from its index. Where rows were deleted, it reads only the parts whose marks are older, because a table may have billions of rows.
   */
  async dropOlder(table: string, beforeNs: bigint): Promise<void> {
    const older = await this.engine.select<{ name: string }>(
      `SELECT _part AS name FROM {table:Identifier} WHERE _part IN (
  SELECT part_name FROM mergeTreeIndex(currentDatabase(), {table:Identifier}) GROUP BY part_name HAVING max(_time) < ${BEFORE})
GROUP BY name HAVING max(_time) < ${BEFORE}`,
      { table, before: String(beforeNs) },
    )
    const parts = older.map(({ name }) => name)
    if (parts.length > 0) await this.dropParts(table, parts)
  }

  protected async dropParts(table: string, parts: readonly string[]): Promise<void> {
    for (const part of parts) {
      await this.engine.run(dropPart(table, part)).catch((error: unknown) => {
        if (engineCode(error) !== NO_PART) throw error
      })
    }
  }

  /** @returns the tables with removed rows that still take up room */
  async listDeleted(): Promise<string[]> {
    return [...(await measureTables(this))].flatMap(([table, { hasDeleted }]) => (hasDeleted ? table : []))
  }

  /**
   * Begins to rewrite the parts of a table without its deleted rows, if it is worth it and not under way already. A delete only marks
   * rows, and the engine frees their room when it next merges their part, which for a large part is never.
   */
  async reclaim(table: string): Promise<void> {
    const size = (await measureTables(this)).get(table)
    if (!size || size.isBusy) return
    const [left] = await this.engine.select<{ rows: number }>('SELECT toFloat64(count()) AS rows FROM {table:Identifier}', {
      table,
    })
    const deleted = size.rows - Number(left?.rows)
    if (deleted >= size.rows * DELETED_SHARE_MIN) await this.engine.run(applyDeletes(table, this.names))
  }

  /** A cheap check. @returns what does not work. @throws ServiceError `unavailable` if the store, or a part of it, does not answer */
  check(): Promise<{ status: 'degraded'; message: string } | undefined> {
    return this.engine.probe('SELECT 1').then(() => undefined)
  }

  /** @returns whether the hosts that lack a table have it again; absent if there are no replicas that could send them its rows */
  restore?(table: string, lacking: readonly LackingHost[]): Promise<boolean>

  /** @returns the size of all tables, including staging tables; `undefined` if it cannot be determined */
  async measure(): Promise<StoredSize | undefined> {
    const sizes = await measureTables(this).catch(() => undefined)
    const sum = (of: keyof StoredSize) => [...(sizes?.values() ?? [])].reduce((all, size) => all + size[of], 0)
    return sizes && { parts: sum('parts'), rows: sum('rows'), bytes: sum('bytes') }
  }

  /**
   * Resolves when the table has all rows that were sent to it before, on whichever replica they are counted, and the inserts of lost
   * senders have ended.
   */
  abstract settleInserts(table: string): Promise<void>

  /**
   * Counts the rows of a request, on whichever shard and replica. Earlier inserts that still run on a server after their answer was
   * lost have ended by then; the caller sends none meanwhile.
   * @throws MissingTableError; ServiceError `unavailable` even if only one replica is unavailable, because its rows are unknown
   */
  async count(table: string, request: RequestSpan): Promise<number> {
    await this.settleInserts(table)
    return (await this.countEach(table, [request])).get(request.sysTimeNs) ?? 0
  }

  /** Counts the rows of many requests that are in the table, by their `_sysTime`; requests without rows are left out. */
  async countEach(table: string, requests: readonly RequestSpan[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    for (let from = 0; from < requests.length; from += REQUESTS_MAX) {
      const some = requests.slice(from, from + REQUESTS_MAX)
      const each = (of: keyof RequestSpan) => some.map((request) => request[of])
      const values = { table, all: each('sysTimeNs'), first: each('firstTimeNs'), last: each('lastTimeNs') }
      const rows = await this.engine.select<{ sys: string; found: string }>(COUNT_EACH, values)
      for (const { sys, found } of rows) counts.set(sys, Number(found))
    }
    return counts
  }

  /** Removes the rows of a request; it resolves when all are removed, and may be repeated. @throws as {@link count} */
  async removeRequest(table: string, request: RequestSpan): Promise<void> {
    await this.settleInserts(table)
    await this.removeRows(table, request)
  }

  protected async removeRows(table: string, { sysTimeNs, firstTimeNs, lastTimeNs }: RequestSpan): Promise<void> {
    await this.deleteWhere(table, OF_REQUEST, { sysTimeNs, firstTimeNs, lastTimeNs })
  }
}

/** The tables of an earlier version. */
const WITHOUT_REST = `name NOT IN (SELECT table FROM system.columns WHERE database = currentDatabase() AND name = '${REST}')`

export async function listTables(engine: Engine, condition = 'true'): Promise<string[]> {
  const tables = await engine.select<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^(events|staging)_[a-z0-9]+$') AND ${condition}`,
  )
  return tables.map(({ name }) => name)
}

/** @returns the comment of each table of events */
export async function listComments(engine: Engine): Promise<Map<string, string>> {
  const rows = await engine.select<{ name: string; comment: string }>(
    `SELECT name, comment FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'events_') ORDER BY name`,
  )
  // On a cluster the table with the rows has the comment, and comes second.
  return new Map(rows.map(({ name, comment }) => [name.replace(/_local$/, ''), comment]))
}

/** A host that lacks a table of events, or one of the two that it has on a cluster. */
export interface LackingHost {
  /** Its name and port. */
  host: string
  /** The names that Keeper has of its shard and of itself; empty without a cluster. */
  shard: string
  replica: string
  lacksRows: boolean
  /** Whether another host of its shard has the rows. */
  hasPeer: boolean
}

/** @returns the retention of each table of events in days; tables without one are left out */
export async function listRetentions(engine: Engine, names: TableNames): Promise<Map<string, number>> {
  const rows = await engine.select<{ name: string; expiry: string }>(
    `SELECT name, extract(engine_full, 'TTL .*toIntervalDay[(]([0-9]+)[)]') AS expiry FROM system.tables
      WHERE database = currentDatabase() AND startsWith(name, 'events_') AND expiry != ''`,
  )
  const [, added] = /INTERVAL (\d+) DAY/.exec(names.expiry(0)) ?? []
  return new Map(rows.map(({ name, expiry }) => [name.replace(/_local$/, ''), Number(expiry) - Number(added)]))
}

/**
 * Finds the hosts that lack the table of a dataset. Hosts of a cluster that do not answer are passed over.
 * @returns the hosts by the table; tables that every host has are left out
 */
export async function findLacking(
  engine: Engine,
  names: TableNames,
  wanted: readonly string[],
): Promise<Map<string, LackingHost[]>> {
  // Every host has tables of its own, so one without tables of events is listed too.
  const rows = await engine.select<Pick<LackingHost, 'host' | 'shard' | 'replica'> & { tables: string[] }>(
    `SELECT concat(hostName(), ':', toString(tcpPort())) AS host, ${names.macros},
  groupArrayIf(name, database = currentDatabase() AND startsWith(name, 'events_')) AS tables
FROM ${names.hosts('tables')} GROUP BY host, shard, replica ORDER BY host
SETTINGS skip_unavailable_shards = 1, connections_with_failover_max_tries = 1`,
  )
  const hosts = rows.map(({ tables, ...host }) => ({ ...host, has: new Set(tables) }))
  const lacking = (table: string): LackingHost[] =>
    hosts
      .filter(({ has }) => !names.all(table).every((one) => has.has(one)))
      .map(({ has, ...host }) => ({
        ...host,
        lacksRows: !has.has(names.rows(table)),
        hasPeer: hosts.some((other) => other.shard === host.shard && other.has.has(names.rows(table))),
      }))
  const found = wanted.map((table) => [table, lacking(table)] as const)
  return new Map(found.filter(([, on]) => on.length > 0))
}
