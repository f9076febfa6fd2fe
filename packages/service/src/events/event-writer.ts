/**
 * Group commit of events: one insert per writer is under way, and what arrives meanwhile for one dataset is the next batch.
 * A request's rows are stored all or none, and are on disk and visible to the next query when `write` resolves.
 * New fields go to the catalogue before the rows that have them, so a row never has a field that the catalogue lacks.
 *
 * Bounded: so many bytes may wait, then requests are refused. A batch the engine refuses is divided until the bad row is
 * alone, so that it costs none of its neighbours; the scanner should have found it, so this is the second net.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'
import { type Engine, engineCode } from '../store/engine.ts'
import { EVENT_COLUMNS } from '../store/schema/event-table.ts'
import type { Dataset } from './dataset.ts'
import type { DatasetTable } from './dataset-table.ts'
import type { Rows } from './row-writer.ts'

/** The rows of one request, or a part of them that is stored apart. */
export interface Unit {
  dataset: Dataset
  /** Where the rows go when that is not the dataset's own table. */
  table?: string
  rows: Rows
  /** Runs before the rows are inserted, with all other units of the batch. */
  before?: { write: (units: readonly Unit[]) => Promise<void>; value: unknown }
}

/** A row the engine did not take, by its index in the unit. */
export interface Refused {
  index: number
  reason: string
}

export interface EventWriter {
  /** @returns the rows that were refused; @throws ServiceError `overloaded`, `not_found`, `storage_full` with nothing stored */
  write(unit: Unit): Promise<Refused[]>
  /** Whether a request should be refused before its body is read. */
  readonly isFull: boolean
  /** Resolves when nothing waits or is under way. */
  drained(): Promise<void>
}

const BATCH_BYTES_MAX = 8_388_608
/** At 80,000 rows a second a batch takes a quarter of a second, and so long does a small request wait at most. */
const BATCH_ROWS_MAX = 20_000
/** Longest pause between two batches. */
const LINGER_MS_MAX = 25
/** Rows that wait, over all requests; the engine holds a few times its batch besides. */
const WAITING_BYTES_MAX = 67_108_864
const WAITING_UNITS_MAX = 10_000

interface Pending {
  unit: Unit
  resolve: (refused: Refused[]) => void
  reject: (error: unknown) => void
}

export function createEventWriter(engine: Engine, datasets: DatasetTable, writers: number): EventWriter {
  const queues = new Map<string, Pending[]>()
  const busy = new Set<string>()
  let waitingBytes = 0
  let waitingUnits = 0
  let running = 0
  const idle: (() => void)[] = []
  const isFull = () => waitingBytes > WAITING_BYTES_MAX || waitingUnits > WAITING_UNITS_MAX

  /** The next table in turn that no writer is at; a table's batches follow one another. */
  function nextBatch(): { table: string; batch: Pending[] } | undefined {
    for (const [table, queue] of queues) {
      if (busy.has(table)) continue
      queues.delete(table)
      const batch: Pending[] = []
      let [bytes, rows] = [0, 0]
      while (queue.length > 0) {
        const { unit } = queue[0] as Pending
        if (batch.length > 0 && (bytes + unit.rows.bytes > BATCH_BYTES_MAX || rows + unit.rows.count > BATCH_ROWS_MAX)) break
        bytes += unit.rows.bytes
        rows += unit.rows.count
        batch.push(queue.shift() as Pending)
      }
      // Behind the others, so that one busy dataset does not starve them.
      if (queue.length > 0) queues.set(table, queue)
      return { table, batch }
    }
    return undefined
  }

  async function work(): Promise<void> {
    running++
    const join = createJoin()
    for (let next = nextBatch(); next; next = nextBatch()) {
      const from = performance.now()
      busy.add(next.table)
      await commit(next.table, next.batch, join)
      busy.delete(next.table)
      // Those just answered are about to send more: with it in the batch, there are half as many inserts, and parts to merge.
      if (next.batch.length > 1) await sleep(Math.min(LINGER_MS_MAX, (performance.now() - from) / 4))
    }
    running--
    if (running === 0) for (const resolve of idle.splice(0)) resolve()
  }

  async function commit(table: string, batch: readonly Pending[], join: Join): Promise<void> {
    const here = batch.filter(({ unit, reject }) => {
      if (unit.dataset.state !== 'gone') return true
      reject(new ServiceError('not_found', `the dataset ${JSON.stringify(unit.dataset.name)} was deleted`))
      return false
    })
    try {
      if (here.length > 0) await prepare(here)
      const refused = await insertAll(
        table,
        here.map(({ unit }) => unit),
        join,
      )
      here.forEach(({ resolve }, index) => {
        resolve(refused[index] as Refused[])
      })
    } catch (error) {
      for (const { unit, reject } of here) {
        reject(
          unit.dataset.state === 'gone'
            ? new ServiceError('not_found', `the dataset ${JSON.stringify(unit.dataset.name)} was deleted`)
            : error,
        )
      }
    }
    for (const { unit } of batch) {
      waitingBytes -= unit.rows.bytes
      waitingUnits--
    }
  }

  async function prepare(batch: readonly Pending[]): Promise<void> {
    const { dataset } = (batch[0] as Pending).unit
    if (dataset.unsaved.size > 0) {
      const saving = new Map(dataset.unsaved)
      await datasets.saveFields(dataset.table, saving)
      for (const [name, bits] of saving) {
        const now = dataset.unsaved.get(name) ?? 0
        if ((now & ~bits) === 0) dataset.unsaved.delete(name)
        else dataset.unsaved.set(name, now & ~bits)
      }
    }
    const units = batch.map(({ unit }) => unit).filter(({ before }) => before)
    const write = units[0]?.before?.write
    if (write) await write(units)
  }

  async function insertAll(table: string, units: readonly Unit[], join: Join): Promise<Refused[][]> {
    const filled = units.filter(({ rows }) => rows.count > 0)
    if (filled.length === 0) return units.map(() => [])
    try {
      await engine.insertJson(table, EVENT_COLUMNS, join(filled.flatMap(({ rows }) => rows.buffers)))
      return units.map(() => [])
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (units.length > 1) {
        const apart: Refused[][] = []
        for (const unit of units) apart.push(...(await insertAll(table, [unit], join)))
        return apart
      }
      const { rows } = units[0] as Unit
      return [await divide(table, Buffer.concat(rows.buffers), rows.ends, 0, rows.count, error)]
    }
  }

  async function divide(
    table: string,
    bytes: Buffer,
    ends: readonly number[],
    from: number,
    to: number,
    error: unknown,
  ): Promise<Refused[]> {
    if (to - from === 1) return [{ index: from, reason: refusalOf(error) }]
    const middle = (from + to) >> 1
    const refused: Refused[] = []
    for (const [a, b] of [[from, middle] as const, [middle, to] as const]) {
      const part = bytes.subarray(a === 0 ? 0 : ends[a - 1], ends[b - 1])
      try {
        await engine.insertJson(table, EVENT_COLUMNS, part)
      } catch (cause) {
        if (!isRefusal(cause)) throw cause
        refused.push(...(await divide(table, bytes, ends, a, b, cause)))
      }
    }
    return refused
  }

  return {
    write(unit) {
      if (isFull()) return Promise.reject(busyError())
      waitingBytes += unit.rows.bytes
      waitingUnits++
      return new Promise((resolve, reject) => {
        const table = unit.table ?? unit.dataset.table
        const queue = queues.get(table)
        if (queue) queue.push({ unit, resolve, reject })
        else queues.set(table, [{ unit, resolve, reject }])
        if (running < writers) void work()
      })
    },
    get isFull() {
      return isFull()
    },
    async drained() {
      if (running > 0) await new Promise<void>((resolve) => idle.push(resolve))
    },
  }
}

/** @returns the answer of a service that has enough to do */
export function busyError(): ServiceError {
  return new ServiceError('overloaded', 'more events are waiting to be stored than may wait; send this again in a second')
}

/** The engine's codes for rows it cannot read: INCORRECT_DATA, the CANNOT_PARSE… family, TYPE_MISMATCH, ARGUMENT_OUT_OF_BOUND. */
const REFUSALS = new Set(['117', '6', '25', '26', '27', '38', '41', '53', '69', '72'])

function isRefusal(error: unknown): boolean {
  return REFUSALS.has(engineCode(error) ?? '')
}

function refusalOf(error: unknown): string {
  return `the engine cannot store it: ${String((error as Error).message)
    .replace(/\s+/g, ' ')
    .slice(0, 200)}`
}

type Join = (buffers: readonly Buffer[]) => Buffer

/** @returns a function that makes one buffer of several, always the same one: it is free again when the insert is through */
function createJoin(): Join {
  let scratch = Buffer.alloc(0)
  return (buffers) => {
    if (buffers.length === 1) return buffers[0] as Buffer
    const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    if (bytes > scratch.length) scratch = Buffer.allocUnsafe(bytes)
    let at = 0
    for (const buffer of buffers) at += buffer.copy(scratch, at)
    return scratch.subarray(0, bytes)
  }
}
