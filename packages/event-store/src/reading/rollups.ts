/**
 * Holds what the events of whole parts come to by bins of time, for the questions that charts ask again and again of large datasets.
 * Nothing held is ever out of date, because a part never changes: what inserts, deletes, merges and the age limit change are new parts
 * under new names. So an answer is made of the held states of some parts, and of the events of all others; afterwards it is checked that
 * each of those parts was still there, and otherwise the events are asked.
 * - The states of a question are in a table in memory and, where that would be too much, one on the disk, by part. They are made in the
 *   background, and end with the process.
 * - The ends of a range that are within a bin are asked of the events.
 * Only the embedded store has them: on servers, parts are those of a shard or a replica. Deliberately not here: which questions have
 * states; see `query/mergeable.ts` of the query language.
 */
import { rmSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { InStates, Plan } from '@deployment-annotations/apl/sql/plan'
import { quoteText } from '@deployment-annotations/apl/sql/quoting'
import { STATES } from '@deployment-annotations/apl/sql/states'
import { clampStorable } from '@deployment-annotations/contract/timestamp'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Engine } from '../engine/engine.ts'
import { withValues } from './embedded-reader.ts'
import type { Span } from './table-spans.ts'

/** The name of the task in the log. */
export const ROLLUP_TASK = 'make rollups'

const LIMITS = {
  /** Fewer events of a part are aggregated in a few milliseconds. */
  partRowsMin: 20_000,
  /** A part that is younger is likely to be merged soon. */
  partSecondsMin: 30,
  /** With fewer events in a bin the states would take about as much room as the events. */
  binRowsMin: 50,
  /** Reading the states of a day takes the processor as long as so many events: with fewer, the events are asked. */
  rowsMin: 500_000,
  /** Of all states that are held in memory, where they are read three times as fast as from the disk. */
  memoryBytesMax: Math.min(134_217_728, totalmem() / 64),
}

/** What the states of a bin take in memory, at most. */
const BIN_BYTES_MAX = 30_000
/** A question is worth the work when it was asked so often. */
export const ASKED_MIN = 2
/** The most questions whose states are held; those that nobody has asked for longest are forgotten. */
const QUESTIONS_MAX = 200
/** A question that nobody asks for a day is forgotten. */
const FORGET_AFTER_MS = 86_400_000
/** How long states are made before other maintenance has its turn, in milliseconds. */
const TURN_MS = 10_000
/** One processor, and little memory: nobody waits for it. */
const BUILD_SETTINGS = 'max_threads = 1, max_insert_threads = 1, max_memory_usage = 300000000'

const DATABASE = 'rollups'

interface Question {
  /** Of its tables, among those of all questions. */
  readonly id: number
  readonly states: InStates
  asked: number
  askedMs: number
  /** By the names of parts. */
  readonly parts: Map<string, PartStates>
}

interface Part {
  readonly table: string
  readonly rows: number
  readonly name: string
  /** Of all parts of the table. */
  readonly tableRows: number
}

/** The table of the states, their time, and how many events they are of. */
type PartStates = Pick<Part, 'table' | 'rows'> & Span

/** Of a part whose states are not worth it, or cannot be made. */
const NOTHING: PartStates = { table: '', rows: 0, startNs: 0n, endNs: 1n }

/** The caller disposes of it. */
type Executed = AsyncDisposable & { readonly rowsExamined: number }

/** Call this before the engine opens its directory: what a process that was killed left is of no use. */
export function forgetRollups(engineDir: string): void {
  const paths = [`metadata/${DATABASE}.sql`, `data/${DATABASE}`].map((path) => join(engineDir, path))
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}

export class Rollups {
  /** Replaced in tests. */
  limits = LIMITS
  /** Called before states are made, to {@link note} what is likely to be asked of the tables of whose events states pay. */
  prepare: (largeTables: ReadonlySet<string>) => void = () => undefined
  readonly #engine: Engine
  readonly #requireRoom: () => void
  /** By the keys of their states; the one that was asked last comes last. */
  readonly #questions = new Map<string, Question>()
  /** The tables that no question had at the last upkeep: answers that were under way then have ended at the next one. */
  #unused: ReadonlySet<string> = new Set()
  /** Why states could not be read or made, for the log. */
  readonly #failures: string[] = []
  #made = 0

  /** @param requireRoom throws ServiceError `storage_full` */
  constructor(engine: Engine, requireRoom: () => void) {
    this.#engine = engine
    this.#requireRoom = requireRoom
  }

  /**
   * Executes a plan by what is held, if that is enough, and otherwise by the events.
   * @param execute runs a plan. @throws what it throws
   */
  async execute<T extends Executed>(plan: Plan, range: Span, execute: (plan: Plan) => Promise<T>): Promise<T> {
    const states = this.#questions.size > 0 ? plan.inStates?.() : undefined
    const found = states && this.find(states, range)
    if (found) {
      try {
        const executed = await execute({ ...plan, together: { ...states, sql: found.sql } })
        if (await this.#areThere(states.table, found.parts)) return executed
        await executed[Symbol.asyncDispose]()
      } catch (error) {
        if (error instanceof ServiceError && error.code !== 'internal' && error.code !== 'not_found') throw error
        this.#questions.delete(states.key)
        this.#failures.push(`what was held of ${states.table} could not be read, and is made anew: ${describeError(error)}`)
      }
    }
    const executed = await execute(plan)
    const asked = executed.rowsExamined >= this.limits.rowsMin ? (states ?? plan.inStates?.()) : undefined
    if (asked) this.note(asked)
    return executed
  }

  /** @returns SQL that answers by the states of parts, and the names of these; `undefined` if too little is held */
  find(states: InStates, range: Span): { sql: string; parts: readonly string[] } | undefined {
    const whole = wholeBins(range, states.sizeNs)
    const held = [...(this.#questions.get(states.key)?.parts ?? [])].filter(([, { rows }]) => rows > 0)
    const rows = held.reduce((sum, [, part]) => sum + rowsWithin(part, whole), 0)
    if (held.length === 0 || rows < this.limits.rowsMin) return undefined
    this.note(states, 0)
    const parts = held.map(([name]) => name)
    const tables = [...new Set(held.map(([, { table }]) => table))]
    const names = parts.map(quoteText).join(', ')
    const isHeld = `_part IN (${names})`
    const all = [
      states.states([`NOT ${isHeld}`, within('_time', range)]),
      states.states([isHeld, within('_time', range), `NOT ${within('_time', whole)}`]),
      ...tables.map((table) => `SELECT * EXCEPT (part) FROM ${table} WHERE part IN (${names}) AND ${within('bin', whole)}`),
    ]
    const source = `(SELECT bin AS _time, * EXCEPT (bin) FROM (${all.join(' UNION ALL ')}))`
    return { sql: states.sql.replace(STATES, () => source), parts }
  }

  /** Does not wait for a slot among the queries: the answers of people who ask at once would all be late by those of the others. */
  async #areThere(table: string, parts: readonly string[]): Promise<boolean> {
    const sql = `SELECT throwIf(count() != ${parts.length}) FROM system.parts WHERE active AND database = currentDatabase()
      AND table = ${quoteText(table)} AND name IN (${parts.map(quoteText).join(', ')})`
    const [checked] = await Promise.allSettled([this.#engine.probe(sql)])
    return checked.status === 'fulfilled'
  }

  /** @param times as often as which it counts as asked: {@link ASKED_MIN} has its states made before anybody asks */
  note(states: InStates, times = 1): void {
    const known = this.#questions.get(states.key) ?? { id: ++this.#made, asked: 0, parts: new Map() }
    this.#questions.delete(states.key)
    this.#questions.set(states.key, { ...known, states, asked: known.asked + times, askedMs: performance.now() })
    const [oldest] = this.#questions.keys()
    if (this.#questions.size > QUESTIONS_MAX && oldest !== undefined) this.#questions.delete(oldest)
  }

  /** The upkeep task: makes the states that are missing, the latest question first, and drops what nobody reads. */
  async upkeep(log: Log): Promise<void> {
    const { partRowsMin, partSecondsMin, rowsMin } = this.limits
    const there = await this.#engine.select<Part>(
      `SELECT table, name, toFloat64(rows) AS rows, toFloat64(sum(rows) OVER (PARTITION BY table)) AS tableRows
        FROM system.parts WHERE active AND database = currentDatabase() AND startsWith(table, 'events_')
          AND rows >= ${partRowsMin} AND modification_time <= now() - ${partSecondsMin}`,
    )
    this.prepare(new Set(there.filter(({ tableRows }) => tableRows >= rowsMin).map(({ table }) => table)))
    const untilMs = performance.now() + TURN_MS
    for (const [key, question] of [...this.#questions].reverse()) {
      const { states, asked, askedMs, parts } = question
      const ofTable = there.filter(({ table }) => table === states.table)
      await this.#forgetParts(question, new Set(ofTable.map(({ name }) => name)))
      const missing = asked < ASKED_MIN ? [] : ofTable.filter(({ name }) => !parts.has(name))
      for (const part of missing) if (performance.now() < untilMs) parts.set(part.name, await this.#make(question, part))
      if (performance.now() - askedMs >= FORGET_AFTER_MS) this.#questions.delete(key)
    }
    await this.#dropUnused()
    for (const message of this.#failures.splice(0)) log.warn({ event: 'warning', task: ROLLUP_TASK, message })
  }

  async #forgetParts({ parts }: Question, there: ReadonlySet<string>): Promise<void> {
    for (const [name, { table }] of [...parts].filter(([part]) => !there.has(part))) {
      parts.delete(name)
      if (table === '') continue
      const deleted = this.#engine.bulk.run(`ALTER TABLE ${table} DELETE WHERE part = ${quoteText(name)}`)
      await deleted.catch((error: unknown) => this.#failures.push(describeError(error)))
    }
  }

  /** @returns the states of a part, or {@link NOTHING} if they would take as much room as its events, or cannot be made */
  async #make({ id, states: { states, params, sizeNs } }: Question, { name, rows }: Part): Promise<PartStates> {
    const { bulk } = this.#engine
    const ofPart = withValues({ sql: states([`_part = ${quoteText(name)}`]), params })
    const ns = (sql: string) => `toString(toUnixTimestamp64Nano(toDateTime64(${sql}, 9, 'UTC')))`
    const memory = `SELECT toFloat64(sum(total_bytes)) FROM system.tables WHERE database = '${DATABASE}' AND engine = 'Memory'`
    try {
      const [found] = await bulk.select<{ bins: number; first: string; last: string; memoryBytes: number }>(
        `SELECT toUInt32(count()) AS bins, ${ns('min(bin)')} AS first, ${ns('max(bin)')} AS last, (${memory}) AS memoryBytes
          FROM (SELECT bin FROM (${ofPart}))`,
      )
      if (!found || found.bins === 0 || rows < found.bins * this.limits.binRowsMin) return NOTHING
      this.#requireRoom()
      const isInMemory = found.memoryBytes + found.bins * BIN_BYTES_MAX <= this.limits.memoryBytesMax
      const table = `${DATABASE}.states_${id}_${isInMemory ? 'memory' : 'disk'}`
      const engine = isInMemory ? 'Memory' : 'MergeTree ORDER BY bin'
      const named = `SELECT ${quoteText(name)} AS part, * FROM (${ofPart})`
      await bulk.run(`CREATE DATABASE IF NOT EXISTS ${DATABASE} ENGINE = Memory`)
      // It is not filled at once: the engine would rename it then, which such a database cannot do.
      await bulk.run(`CREATE TABLE IF NOT EXISTS ${table} ENGINE = ${engine} EMPTY AS ${named}`)
      await bulk.run(`INSERT INTO ${table} ${named} SETTINGS ${BUILD_SETTINGS}`)
      return { table, rows, startNs: BigInt(found.first), endNs: BigInt(found.last) + sizeNs }
    } catch (error) {
      this.#failures.push(describeError(error))
      return NOTHING
    }
  }

  async #dropUnused(): Promise<void> {
    const { bulk } = this.#engine
    const used = new Set([...this.#questions.values()].flatMap(({ parts }) => [...parts.values()].map((part) => part.table)))
    const tables = await bulk.select<{ name: string }>(`SELECT name FROM system.tables WHERE database = '${DATABASE}'`)
    const unused = tables.map(({ name }) => `${DATABASE}.${name}`).filter((table) => !used.has(table))
    for (const table of unused) if (this.#unused.has(table)) await bulk.run(`DROP TABLE ${table} SYNC`)
    this.#unused = new Set(unused)
  }
}

/** @returns about how many events of a part are in a range, as if they were spread evenly over its time */
function rowsWithin({ rows, startNs, endNs }: PartStates, range: Span): number {
  const [first, end] = [startNs > range.startNs ? startNs : range.startNs, endNs < range.endNs ? endNs : range.endNs]
  return end <= first ? 0 : (rows * Number(end - first)) / Number(endNs - startNs)
}

/** @returns from the start of the first whole bin of a range to the end of the last */
function wholeBins({ startNs, endNs }: Span, sizeNs: bigint): Span {
  const floor = (ns: bigint) => ns - (((ns % sizeNs) + sizeNs) % sizeNs)
  return { startNs: floor(startNs + sizeNs - 1n), endNs: floor(endNs) }
}

/** @returns the condition that a column of times is within a span */
function within(column: string, { startNs, endNs }: Span): string {
  const [start, end] = [startNs, endNs].map((ns) => `fromUnixTimestamp64Nano(toInt64(${clampStorable(ns)}), 'UTC')`)
  return `(${column} >= ${start} AND ${column} < ${end})`
}
