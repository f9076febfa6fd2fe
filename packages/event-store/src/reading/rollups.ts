/**
 * Holds what the events of whole parts come to by bins of time, for the questions that charts ask again and again of
 * large datasets. Nothing held is ever out of date, because a part never changes: what inserts, deletes, merges and the age limit change
 * are new parts under new names. So an answer is made of the held states of some parts, and of the events of all others; afterwards it is
 * checked that each of those parts was still there, and else the events are asked.
 * - Held are the states of aggregations, which merge to the same as one look at all events (packages/apl/src/sql/states.ts).
 * - They are in a database that ends with the process, and are made in the background, one part after the other.
 * - The ends of a range that are within a bin are asked of the events.
 * Only the embedded store has them: on servers, parts are those of a shard or a replica.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { InStates, Statement } from '@deployment-annotations/apl/sql/plan'
import { quoteText } from '@deployment-annotations/apl/sql/quoting'
import { STATES } from '@deployment-annotations/apl/sql/states'
import { STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import { EmbeddedConnection, openSession, type Session, selectRows } from '../embedded/chdb.ts'
import type { Engine } from '../engine/engine.ts'
import { withValues } from './embedded-reader.ts'
import type { Span } from './table-spans.ts'

/** The name of the task in the log. */
export const ROLLUP_TASK = 'make rollups'

const LIMITS = {
  /** Fewer events of a part are looked at in a few milliseconds. */
  partRowsMin: 20_000,
  /** A part that is younger is likely to be merged soon. */
  partSecondsMin: 30,
  /** With fewer events in a bin the states would take about as much room as the events. */
  binRowsMin: 50,
  /** Reading the states of a day takes the processor as long as so many events: with fewer, the events are asked. */
  rowsMin: 500_000,
  /** Of all states that are kept in memory. */
  memoryBytesMax: Math.min(134_217_728, totalmem() / 64),
}
type RollupLimits = typeof LIMITS

/** The most bins of a part; each takes up to 30 KB while the states are made. */
const PART_BINS_MAX = 5_000
/** A question is worth the work when it was asked so often. */
const ASKED_MIN = 2
/** The most questions whose states are held; those that nobody has asked for longest are forgotten. */
const QUESTIONS_MAX = 200
/** A question that nobody asks for a day is forgotten. */
const FORGET_AFTER_MS = 86_400_000
/** How long states are made before other maintenance has its turn, in milliseconds. */
const TURN_MS = 10_000
/** States take so many times as much memory as bytes on the disk before these are compressed. */
const MEMORY_TIMES = 2.5

const DATABASE = 'rollups'

interface Question {
  readonly states: InStates
  asked: number
  askedMs: number
  /** The states of parts, by their names. */
  readonly parts: Map<string, PartStates>
  merged?: MergedStates
  /** Parts of which none are made. */
  readonly unfit: Set<string>
  /** Nobody reads its states any more, nor those that are being made. */
  isForgotten?: true
}

interface PartStates extends Span {
  readonly table: string
  readonly rows: number
}

/** The states of some parts, merged: reading those of percentiles takes 85 µs for each bin of each part, and a third of that in memory. */
interface MergedStates {
  readonly of: readonly string[]
  readonly table: string
  /** What they take in memory, or would. */
  readonly memoryBytes: number
  readonly isInMemory: boolean
}

/** The caller disposes of it once the statement has been run. */
interface RolledUp extends Disposable {
  /** Answers what the plan would, if {@link stillThere} says 1 afterwards. */
  readonly statement: Statement
  /**
   * Whether all parts whose states were read are there. It does not wait for a slot among the queries: the answers of people who ask at
   * once would all be late by those of the others.
   */
  stillThere(): Promise<boolean>
}

interface RollupParts {
  engine: Engine
  /** Of the engine. */
  directory: string
  /** @throws ServiceError `storage_full` */
  requireRoom(): void
}

/** Call this before the engine opens its directory: what a process that was killed left is of no use. */
export function forgetRollups(engineDir: string): void {
  rmSync(join(engineDir, 'metadata', `${DATABASE}.sql`), { force: true })
  rmSync(join(engineDir, 'data', DATABASE), { recursive: true, force: true })
}

export class Rollups {
  /** Replaced in tests. */
  limits: RollupLimits = LIMITS
  /** Called before states are made, to {@link want} what is likely to be asked. */
  prepare: () => Promise<void> = async () => undefined
  readonly #parts: RollupParts
  readonly #session: EmbeddedConnection<Session>
  /** For what an answer waits for, while states are made. */
  readonly #checks: EmbeddedConnection<Session>
  readonly #questions = new Map<string, Question>()
  /** One turn of upkeep at a time: a table that is being filled would be dropped by another one. */
  readonly #turns = new Gate({ what: 'turns of upkeep', slots: 1, waitingMax: Number.POSITIVE_INFINITY })
  /** Tables that no further answer is made of. */
  readonly #retired = new Set<string>()
  /** Those that answers under way are made of; each as often as there are such answers. */
  readonly #read: string[] = []
  /** Why states could not be read, for the log. */
  readonly #failures: string[] = []
  #made = 0

  constructor(parts: RollupParts) {
    this.#parts = parts
    this.#session = new EmbeddedConnection(() => openSession(parts.directory))
    this.#checks = new EmbeddedConnection(() => openSession(parts.directory))
  }

  /** Whether any states are held; else a query need not be compiled to them. */
  get hasStates(): boolean {
    return [...this.#questions.values()].some(({ parts }) => parts.size > 0)
  }

  /** @returns how to answer by what is held; `undefined` if nothing is */
  find(states: InStates, range: Span): RolledUp | undefined {
    const question = this.#questions.get(keyOf(states))
    const [firstNs, endNs] = wholeBins(range, states.sizeNs)
    if (!question || question.parts.size === 0 || firstNs >= endNs) return undefined
    question.askedMs = performance.now()
    const { parts, merged } = question
    const rowsHeld = [...parts.values()].reduce((sum, part) => sum + rowsWithin(part, firstNs, endNs), 0)
    if (rowsHeld < this.limits.rowsMin) return undefined
    const apart = [...parts].filter(([name]) => !merged?.of.includes(name)).map(([, { table }]) => table)
    const tables = [...apart, ...(merged ? [merged.table] : [])]
    const names = [...parts.keys()]
    const held = `_part IN (${names.map(quoteText).join(', ')})`
    const within = (startNs: bigint, toNs: bigint) => `_time >= ${timeOf(startNs)} AND _time < ${timeOf(toNs)}`
    const ends = [within(range.startNs, firstNs), within(endNs, range.endNs)].map((one) => `(${one})`).join(' OR ')
    const all = [
      states.states([`NOT ${held}`, within(range.startNs, range.endNs)]),
      states.states([held, `(${ends})`]),
      ...tables.map((table) => `SELECT * FROM ${table} WHERE bin >= ${timeOf(firstNs)} AND bin < ${timeOf(endNs)}`),
    ]
    const source = `(SELECT bin AS _time, * EXCEPT (bin) FROM (${all.join(' UNION ALL ')}))`
    this.#read.push(...tables)
    return {
      statement: { sql: states.sql.replace(STATES, () => source), params: states.params },
      stillThere: () => this.#areThere(states.table, names),
      [Symbol.dispose]: () => {
        for (const table of tables) this.#read.splice(this.#read.indexOf(table), 1)
      },
    }
  }

  async #areThere(table: string, names: readonly string[]): Promise<boolean> {
    const sql = `SELECT count() FROM system.parts WHERE active AND database = currentDatabase()
      AND table = ${quoteText(table)} AND name IN (${names.map(quoteText).join(', ')})`
    const found = await this.#checks.run('read', async (session) => (await session.queryAsync(sql, { format: 'TSV' })).text())
    return Number(found) === names.length
  }

  /** @param rowsExamined how many rows were looked at to answer it without states @param inStates compiles it to them */
  note(rowsExamined: number, inStates: () => InStates | undefined): void {
    const states = rowsExamined >= this.limits.rowsMin ? inStates() : undefined
    if (states) this.#note(states)
  }

  /** Has the states made before anybody asks. */
  want(states: InStates): void {
    const question = this.#note(states)
    question.asked = Math.max(question.asked, ASKED_MIN)
  }

  /** What is held cannot be read: forgets it, so that it is made anew. */
  fail(states: InStates, error: unknown): void {
    this.#forget(keyOf(states))
    this.#failures.push(`what was held of ${states.table} could not be read, and is made anew: ${describeError(error)}`)
  }

  #note(states: InStates): Question {
    const key = keyOf(states)
    const question: Question = this.#questions.get(key) ?? { states, asked: 0, askedMs: 0, parts: new Map(), unfit: new Set() }
    question.asked++
    question.askedMs = performance.now()
    this.#questions.delete(key)
    this.#questions.set(key, question)
    const [oldest] = this.#questions.keys()
    if (this.#questions.size > QUESTIONS_MAX && oldest !== undefined) this.#forget(oldest)
    return question
  }

  #forget(key: string): void {
    const question = this.#questions.get(key)
    if (!question) return
    question.isForgotten = true
    this.#leave(question, new Set())
    this.#questions.delete(key)
  }

  /** @returns the tables of whose events states pay */
  async largeTables(): Promise<Set<string>> {
    const rows = new Map<string, number>()
    for (const part of await this.#listParts()) rows.set(part.table, (rows.get(part.table) ?? 0) + part.rows)
    return new Set([...rows].flatMap(([table, all]) => (all >= this.limits.rowsMin ? [table] : [])))
  }

  /** The upkeep task: makes the states that are missing, the latest question first, and drops what nobody reads. */
  upkeep(log: Log): Promise<void> {
    return this.#turns.run(() => this.#upkeep(log))
  }

  async #upkeep(log: Log): Promise<void> {
    for (const message of this.#failures.splice(0)) log.warn({ event: 'warning', task: ROLLUP_TASK, message })
    await this.#dropRetired()
    await this.prepare()
    if (this.#questions.size === 0) return
    const there = await this.#listParts()
    const untilMs = performance.now() + TURN_MS
    let memoryBytes = this.limits.memoryBytesMax
    for (const [key, question] of [...this.#questions].reverse()) {
      if (performance.now() - question.askedMs >= FORGET_AFTER_MS) {
        this.#forget(key)
        continue
      }
      const parts = there.filter(({ table }) => table === question.states.table)
      this.#leave(question, new Set(parts.map(({ name }) => name)))
      if (question.asked < ASKED_MIN || question.isForgotten) continue
      const missing = parts.filter(({ name }) => !question.parts.has(name) && !question.unfit.has(name))
      const warn = (error: unknown) => log.warn({ event: 'warning', task: ROLLUP_TASK, message: describeError(error) })
      try {
        for (const part of missing) if (performance.now() < untilMs && !question.isForgotten) await this.#make(question, part)
      } catch (error) {
        for (const { name } of missing) if (!question.parts.has(name)) question.unfit.add(name)
        warn(error)
      }
      await this.#merge(question, memoryBytes).catch((error: unknown) => {
        // What cannot be merged can perhaps not be read either.
        this.#forget(key)
        warn(error)
      })
      memoryBytes -= question.merged?.isInMemory ? question.merged.memoryBytes : 0
    }
    await this.#dropRetired()
  }

  /** Leaves the states of parts that are gone. */
  #leave(question: Question, there: ReadonlySet<string>): void {
    for (const [name, { table }] of question.parts) {
      if (there.has(name)) continue
      question.parts.delete(name)
      this.#retired.add(table)
      if (question.merged?.of.includes(name)) this.#leaveMerged(question)
    }
    for (const name of question.unfit) if (!there.has(name)) question.unfit.delete(name)
  }

  #leaveMerged(question: Question): void {
    if (question.merged) this.#retired.add(question.merged.table)
    delete question.merged
  }

  /** Merges the states of all parts that have some; in memory, where there is room. */
  async #merge(question: Question, memoryBytes: number): Promise<void> {
    const { parts, merged } = question
    const [first] = parts.values()
    if (!first || (merged?.of.length === parts.size && merged.isInMemory === merged.memoryBytes <= memoryBytes)) return
    this.#parts.requireRoom()
    const [onDisk, inMemory] = [this.#name(), this.#name()]
    const [of, all] = [[...parts.keys()], [...parts.values()].map(({ table }) => `SELECT * FROM ${table}`).join(' UNION ALL ')]
    // Until they are merged, nothing is made of them.
    this.#retired.add(onDisk).add(inMemory)
    await this.#fill(onDisk, 'AggregatingMergeTree ORDER BY bin', all)
    await this.#run(`OPTIMIZE TABLE ${onDisk} FINAL`)
    const bytes = MEMORY_TIMES * (await this.#sizeOf(onDisk))
    const isInMemory = bytes <= memoryBytes
    if (isInMemory) await this.#fill(inMemory, 'Memory', `SELECT * FROM ${onDisk} ORDER BY bin`)
    // Meanwhile a question may have been forgotten, and with it all that it had.
    if (question.isForgotten) return
    this.#leaveMerged(question)
    question.merged = { of, table: isInMemory ? inMemory : onDisk, memoryBytes: bytes, isInMemory }
    this.#retired.delete(question.merged.table)
  }

  #name(): string {
    return `${DATABASE}.states_${++this.#made}`
  }

  /** Creates a table and fills it, which is not done at once: it would be renamed, and such a database cannot do that. */
  async #fill(table: string, engine: string, sql: string, params?: Pick<InStates, 'params'>): Promise<void> {
    await this.#run(`CREATE TABLE ${table} ENGINE = ${engine} EMPTY AS ${sql}`, params)
    await this.#run(`INSERT INTO ${table} ${sql} SETTINGS ${BUILD_SETTINGS}`, params)
  }

  async #sizeOf(table: string): Promise<number> {
    const [found] = await this.#run<{ bytes: number }>(
      `SELECT toFloat64(sum(data_uncompressed_bytes)) AS bytes FROM system.parts WHERE active AND concat(database, '.', table) = ${quoteText(table)}`,
    )
    return found?.bytes ?? 0
  }

  async #make(question: Question, { name, rows }: Part): Promise<void> {
    const { states } = question
    const ofPart = states.states([`_part = ${quoteText(name)}`])
    const ns = (sql: string) => `toString(toUnixTimestamp64Nano(toDateTime64(${sql}, 9, 'UTC')))`
    const [found] = await this.#run<{ bins: number; first: string; last: string }>(
      `SELECT toUInt32(count()) AS bins, ${ns('min(bin)')} AS first, ${ns('max(bin)')} AS last FROM (SELECT bin FROM (${ofPart}))`,
      states,
    )
    const bins = found?.bins ?? 0
    if (!found || bins === 0 || bins > PART_BINS_MAX || rows < bins * this.limits.binRowsMin) {
      question.unfit.add(name)
      return
    }
    this.#parts.requireRoom()
    await this.#run(`CREATE DATABASE IF NOT EXISTS ${DATABASE} ENGINE = Memory`)
    const table = this.#name()
    this.#retired.add(table)
    await this.#fill(table, 'MergeTree ORDER BY bin', ofPart, states)
    // Of a part that was gone meanwhile nothing was read.
    const isThere = (await this.#listParts()).some((part) => part.table === states.table && part.name === name)
    const span = { startNs: BigInt(found.first), endNs: BigInt(found.last) + states.sizeNs }
    if (!isThere || question.isForgotten) return
    question.parts.set(name, { table, rows, ...span })
    this.#retired.delete(table)
  }

  async #dropRetired(): Promise<void> {
    for (const table of this.#retired) {
      if (this.#read.includes(table)) continue
      await this.#run(`DROP TABLE IF EXISTS ${table} SYNC`)
      this.#retired.delete(table)
    }
  }

  #listParts(): Promise<Part[]> {
    const { partRowsMin, partSecondsMin } = this.limits
    return this.#parts.engine.select<Part>(
      `SELECT table, name, toFloat64(rows) AS rows FROM system.parts WHERE active AND database = currentDatabase()
        AND startsWith(table, 'events_') AND rows >= ${partRowsMin} AND modification_time <= now() - ${partSecondsMin}`,
    )
  }

  /** Runs a statement with the parameters of a question. */
  #run<T>(sql: string, { params }: Pick<InStates, 'params'> = { params: {} }): Promise<T[]> {
    return this.#session.run('read', (session) => selectRows<T>(session, withValues({ sql, params })))
  }

  async close(): Promise<void> {
    await this.#checks.close()
    await this.#session.close()
  }
}

interface Part {
  table: string
  name: string
  rows: number
}

/** One processor, and little memory: nobody waits for it. */
const BUILD_SETTINGS = 'max_threads = 1, max_insert_threads = 1, max_memory_usage = 300000000'

/** @returns about how many events of a part are in a range, as if they were spread evenly over its time */
function rowsWithin({ rows, startNs, endNs }: PartStates, fromNs: bigint, toNs: bigint): number {
  const [first, end] = [startNs > fromNs ? startNs : fromNs, endNs < toNs ? endNs : toNs]
  return end <= first ? 0 : (rows * Number(end - first)) / Number(endNs - startNs)
}

/** Equal for equal questions, whatever their range. */
function keyOf({ states, params }: InStates): string {
  const sql = states([])
  const used = Object.entries(params).filter(([name]) => sql.includes(`{${name}:`))
  return createHash('sha256')
    .update(JSON.stringify([sql, used]))
    .digest('base64')
}

/** @returns the start of the first whole bin of a range, and the end of the last */
function wholeBins({ startNs, endNs }: Span, sizeNs: bigint): [bigint, bigint] {
  const floor = (ns: bigint) => ns - (((ns % sizeNs) + sizeNs) % sizeNs)
  return [floor(startNs + sizeNs - 1n), floor(endNs)]
}

/** Times that the column cannot hold become its first or last instant. */
function timeOf(ns: bigint): string {
  const held = ns < STORABLE_FIRST_NS ? STORABLE_FIRST_NS : ns > STORABLE_LAST_NS ? STORABLE_LAST_NS : ns
  return `fromUnixTimestamp64Nano(toInt64(${held}), 'UTC')`
}
