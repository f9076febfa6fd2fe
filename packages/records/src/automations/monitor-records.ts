/**
 * Monitors as records: their definition, and the state that their runs left. Every function takes the database to use, so that a
 * monitor and its annotation change in one transaction.
 * Deliberately not here: wire text, and when a monitor triggers.
 */
import { sql } from 'kysely'
import { recordTable } from '../database/record-table.ts'
import type { Due, RecordsDatabase, Share } from '../database/records.ts'
import { MONITOR_CODEC, type MonitorsTable, type StoredMonitor } from '../schema/monitors.ts'

export type { MonitorDefinition, SeriesState, StoredMonitor, StoredMonitorState } from '../schema/monitors.ts'

const MONITORS = recordTable('monitors', { fromRow, toRow })
export const { list: listMonitors, pages: listMonitorPages, find: findMonitor } = MONITORS
export const { lock: lockMonitor, insert: insertMonitor, remove: deleteMonitor } = MONITORS

/** @returns the monitor with its next version */
export async function updateMonitor(
  db: RecordsDatabase,
  before: StoredMonitor,
  update: Partial<Pick<StoredMonitor, 'definition' | 'state'>>,
): Promise<StoredMonitor> {
  const after = { ...before, ...update, version: before.version + 1n }
  await MONITORS.update(db, after)
  return after
}

/**
 * @param dueMax how many due monitors of the share to return at most
 * @returns the most overdue monitor of each creator first, then the next of each
 */
export async function readSchedule(
  db: RecordsDatabase,
  nowMs: number,
  { isOurs }: Share,
  dueMax: number,
): Promise<Due<StoredMonitor>> {
  const now = BigInt(nowMs)
  const enabled = db.selectFrom('monitors').where('disabled', '=', 0n).where(isOurs)
  // A monitor that is disabled until some time next runs at that time.
  const due = await enabled
    .selectAll()
    .where('disabled_until_ms', '<=', now)
    // If the next run is more than an interval away, the clock was set back, and the monitor is due too.
    .where((at) => at.or([at('next_run_ms', '<=', now), at(at('next_run_ms', '-', at.ref('interval_ms')), '>', now)]))
    // Many monitors of one creator must not hide those of others.
    .orderBy(sql`row_number() over (partition by created_by order by next_run_ms)`)
    .orderBy('next_run_ms')
    .limit(dueMax)
    .execute()
  const later = enabled.where('next_run_ms', '>', now).orderBy('next_run_ms').limit(1)
  const next = await later.select('next_run_ms').executeTakeFirst()
  return { due: due.map(fromRow), ...(next && { nextMs: Number(next.next_run_ms) }) }
}

/** @returns when the monitor that is due for longest was, or the next one is, to run, in milliseconds since the epoch */
export async function findOldestDue(db: RecordsDatabase, nowMs: number): Promise<number> {
  const now = BigInt(nowMs)
  const enabled = db.selectFrom('monitors').where('disabled', '=', 0n).where('disabled_until_ms', '<=', now)
  const { at } = await enabled.select(({ fn }) => fn.min('next_run_ms').as('at')).executeTakeFirstOrThrow()
  return Number(at ?? now)
}

const MS_PER_MINUTE = 60_000

function toRow({ state: { nextRunMs, ...state }, ...monitor }: StoredMonitor): MonitorsTable {
  const { disabled, disabledUntilMs = 0, intervalMinutes } = monitor.definition
  return {
    ...MONITOR_CODEC.toRow({ ...monitor, state }),
    disabled: disabled ? 1n : 0n,
    disabled_until_ms: BigInt(disabledUntilMs),
    interval_ms: BigInt(intervalMinutes * MS_PER_MINUTE),
    next_run_ms: BigInt(nextRunMs),
  }
}

function fromRow(row: MonitorsTable): StoredMonitor {
  const { state, ...monitor } = MONITOR_CODEC.fromRow(row)
  return { ...monitor, state: { ...state, nextRunMs: Number(row.next_run_ms) } }
}
