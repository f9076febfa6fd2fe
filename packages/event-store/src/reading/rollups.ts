/**
 * Holds what the events of whole parts come to by bins of time, for the questions that charts ask again and again of
 * large datasets. Nothing held is ever out of date, because a part never changes: what inserts, deletes, merges and the age limit change
 * are new parts under new names. So an answer is made of the held states of some parts, and of the events of all others; afterwards it is
 * checked that each of those parts was still there, and else the events are asked.
 * - Held are the states of aggregations, which merge to the same as one look at all events (packages/apl/src/states.ts).
 * - They are in a database that ends with the process, and are made in the background, one part after the other.
 * - The ends of a range that are within a bin are asked of the events.
 * Only the embedded store has them: on servers, parts are those of a shard or a replica.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { InStates, Statement } from '@deployment-annotations/apl/plan'
import { quoteText } from '@deployment-annotations/apl/sql'
import { STATES } from '@deployment-annotations/apl/states'
import { STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import { EmbeddedConnection, openSession } from '../embedded/chdb.ts'
import type { Engine } from '../engine/engine.ts'
import { setParameters } from './embedded-reader.ts'

/** The name of the task in the log. */
export const ROLLUP_TASK = 'make rollups'

const LIMITS = {
  /** Fewer events of a part are looked at in a few milliseconds. */
  partRowsMin: 200_000,
  /** A part that is younger may be merged at once. */
  partSecondsMin: 5,
  /** With fewer events in a bin the states would take about as much room as the events. */
  binRowsMin: 50,
  /** A question that looks at fewer events is quick. */
  rowsExaminedMin: 200_000,
  /** Reading the states of a day takes the processor as long as some 1.2 million events: with fewer, the events are asked. */
  rowsHeldMin: 2_000_000,
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
/** Longer than a query may run that reads the states. */
const DROP_AFTER_MS = 600_000

const DATABASE = 'rollups'

/** Nanoseconds since the epoch; the end is exclusive. */
interface Span {
  readonly startNs: bigint
  readonly endNs: bigint
}

interface Question {
  readonly states: InStates
  asked: number
  askedMs: number
  /** The states of parts, by their names. */
  readonly parts: Map<string, PartStates>
  /** The states of some of the parts, merged: reading those of percentiles takes 70 µs for each bin of each part. */
  merged?: { readonly of: readonly string[]; readonly table: string }
  /** Parts of which none are made. */
  readonly unfit: Set<string>
  /** Nobody reads its states any more, nor those that are being made. */
  isForgotten?: true
}

interface PartStates extends Span {
  readonly table: string
  readonly rows: number
}

interface RolledUp {
  /** Answers what the plan would, if {@link stillThere} says 1 afterwards. */
  readonly statement: Statement
  /** Asks whether all parts whose states were read are there. */
  readonly stillThere: Statement
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
  readonly #session: EmbeddedConnection<ReturnType<typeof openSession>>
  readonly #questions = new Map<string, Question>()
  /** Tables that nobody reads any more, and when they may go. */
  readonly #retired: { table: string; atMs: number }[] = []
  /** Why states could not be read, for the log. */
  readonly #failures: string[] = []
  #made = 0

  constructor(parts: RollupParts) {
    this.#parts = parts
    this.#session = new EmbeddedConnection(() => openSession(parts.directory))
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
    if (rowsHeld < this.limits.rowsHeldMin) return undefined
    const apart = [...parts].filter(([name]) => !merged?.of.includes(name)).map(([, { table }]) => table)
    const names = [...parts.keys()]
    const held = `_part IN (${names.map(quoteText).join(', ')})`
    const within = (startNs: bigint, toNs: bigint) => `_time >= ${timeOf(startNs)} AND _time < ${timeOf(toNs)}`
    const ends = [within(range.startNs, firstNs), within(endNs, range.endNs)].map((one) => `(${one})`).join(' OR ')
    const all = [
      states.states([`NOT ${held}`, within(range.startNs, range.endNs)]),
      states.states([held, `(${ends})`]),
      ...[...apart, ...(merged ? [merged.table] : [])].map(
        (table) => `SELECT * FROM ${table} WHERE bin >= ${timeOf(firstNs)} AND bin < ${timeOf(endNs)}`,
      ),
    ]
    const source = `(SELECT bin AS _time, * EXCEPT (bin) FROM (${all.join(' UNION ALL ')}))`
    return {
      statement: { sql: states.sql.replace(STATES, () => source), params: states.params },
      stillThere: {
        sql: `SELECT toString(count() = ${names.length}) FROM system.parts WHERE active AND database = currentDatabase() AND table = {t:String} AND has({n:Array(String)}, name)`,
        params: { t: states.table, n: names },
      },
    }
  }

  /** @param rowsExamined how many rows were looked at to answer it without states @param inStates compiles it to them */
  note(rowsExamined: number, inStates: () => InStates | undefined): void {
    const states = rowsExamined >= this.limits.rowsExaminedMin ? inStates() : undefined
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

  #retire(table: string): void {
    this.#retired.push({ table, atMs: performance.now() + DROP_AFTER_MS })
  }

  /** @returns the tables that have parts of which states can be made */
  async largeTables(): Promise<Set<string>> {
    return new Set((await this.#listParts()).map(({ table }) => table))
  }

  /** The upkeep task: makes the states that are missing, the latest question first, and drops what nobody reads. */
  async upkeep(log: Log): Promise<void> {
    for (const message of this.#failures.splice(0)) log.warn({ event: 'warning', task: ROLLUP_TASK, message })
    await this.#dropRetired()
    await this.prepare()
    if (this.#questions.size === 0) return
    const there = await this.#listParts()
    const untilMs = performance.now() + TURN_MS
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
      await this.#merge(question).catch((error: unknown) => {
        // What cannot be merged can perhaps not be read either.
        this.#forget(key)
        warn(error)
      })
    }
  }

  /** Leaves the states of parts that are gone. */
  #leave(question: Question, there: ReadonlySet<string>): void {
    for (const [name, { table }] of question.parts) {
      if (there.has(name)) continue
      question.parts.delete(name)
      this.#retire(table)
      if (question.merged?.of.includes(name)) this.#leaveMerged(question)
    }
    for (const name of question.unfit) if (!there.has(name)) question.unfit.delete(name)
  }

  #leaveMerged(question: Question): void {
    if (question.merged) this.#retire(question.merged.table)
    delete question.merged
  }

  /** Merges the states of all parts that have some. */
  async #merge(question: Question): Promise<void> {
    const { parts, merged } = question
    const [first] = parts.values()
    if (parts.size < 2 || !first || merged?.of.length === parts.size) return
    this.#parts.requireRoom()
    const table = `${DATABASE}.states_${++this.#made}`
    const [of, all] = [[...parts.keys()], [...parts.values()].map((one) => `SELECT * FROM ${one.table}`).join(' UNION ALL ')]
    try {
      await this.#run(`CREATE TABLE ${table} ENGINE = AggregatingMergeTree ORDER BY bin EMPTY AS SELECT * FROM ${first.table}`)
      await this.#run(`INSERT INTO ${table} ${all} SETTINGS ${BUILD_SETTINGS}`)
      await this.#run(`OPTIMIZE TABLE ${table} FINAL`)
    } catch (error) {
      this.#retire(table)
      throw error
    }
    // Meanwhile a question may have been forgotten, and with it all that it had.
    if (question.isForgotten) return this.#retire(table)
    this.#leaveMerged(question)
    question.merged = { of, table }
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
    const table = `${DATABASE}.states_${++this.#made}`
    try {
      // A table that is filled as it is created would be renamed, which such a database cannot.
      await this.#run(`CREATE TABLE ${table} ENGINE = MergeTree ORDER BY bin EMPTY AS ${ofPart}`, states)
      await this.#run(`INSERT INTO ${table} ${ofPart} SETTINGS ${BUILD_SETTINGS}`, states)
    } catch (error) {
      this.#retire(table)
      throw error
    }
    // Of a part that was gone meanwhile nothing was read.
    const isThere = (await this.#listParts()).some((part) => part.table === states.table && part.name === name)
    const span = { startNs: BigInt(found.first), endNs: BigInt(found.last) + states.sizeNs }
    if (isThere && !question.isForgotten) question.parts.set(name, { table, rows, ...span })
    else this.#retire(table)
  }

  async #dropRetired(): Promise<void> {
    for (let first = this.#retired[0]; first && first.atMs <= performance.now(); first = this.#retired[0]) {
      await this.#run(`DROP TABLE IF EXISTS ${first.table} SYNC`)
      this.#retired.shift()
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
    const set = setParameters(params)
    return this.#session.run('read', async (session) => {
      if (set !== undefined) await session.queryAsync(set)
      const text = (await session.queryAsync(sql, { format: 'JSONEachRow' })).text()
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
    })
  }

  async close(): Promise<void> {
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
