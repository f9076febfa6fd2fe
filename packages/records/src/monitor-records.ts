/**
 * Monitors as records: what one is told to do, and what it has found so far; rows to monitors and back. Every statement takes
 * the database it is to ask, so that a monitor changes in one transaction with its annotation.
 * Deliberately not here: wire text, and when a monitor triggers.
 */
import type { MonitorOperator, MonitorStatus, MonitorType } from '@deployment-annotations/contract/monitor'
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'

/** What a monitor is told to do. */
export interface MonitorDefinition {
  type: MonitorType
  name: string
  description?: string
  aplQuery: string
  /** Absent: it compares nothing. */
  operator?: MonitorOperator
  threshold: number
  /** The column that is compared; absent: the last of numbers. */
  columnName?: string
  intervalMinutes: number
  rangeMinutes: number
  alertOnNoData: boolean
  datasets: string[]
  annotationType: string
  annotationTitle?: string
  disabled: boolean
  /** It does not run before. Milliseconds since the epoch. */
  disabledUntilMs?: number
  secondDelay: number
  notifyByGroup: boolean
  notifyEveryRun: boolean
  resolvable: boolean
  skipResolved: boolean
  triggerFromNRuns: number
  triggerAfterNPositiveResults: number
  /** The only datasets that its query may read: those that its author's token named. Absent: all. */
  reach?: string[]
}

/** What is known of one thing that is compared: of all that a query returns, or of one of its groups. */
export interface RunTrack {
  /** Of the last runs that are looked at, the newest last: `1` where it was beyond the threshold, otherwise `0`. */
  positives?: string
  /** The annotation whose span is open. */
  annotationId?: string
}

/** What a monitor has found so far. Times are milliseconds since the epoch. */
export interface StoredMonitorState {
  status: MonitorStatus
  sinceMs: number
  lastRunMs?: number
  /** The next instant of its grid; the ones after it follow at its interval. */
  nextRunMs: number
  lastValue?: number
  error?: string
  /** The annotation whose span is open. */
  annotationId?: string
  /** As in {@link RunTrack}. */
  positives?: string
  /** With notifyByGroup: those that are not as quiet as one that is not known. */
  groups?: Record<string, RunTrack>
  /** Of MatchEvent: places of the events that were found and marked. */
  marked?: string[]
}

export interface StoredMonitor {
  id: string
  /** Every change and every run makes a new one: a result that was found with another version comes too late. */
  version: bigint
  createdAtMs: number
  /** Id of the token. */
  createdBy: string
  definition: MonitorDefinition
  state: StoredMonitorState
}

/** What is to run now, and when the next one is after that. */
interface MonitorSchedule {
  /** The longest overdue first. */
  due: StoredMonitor[]
  nextMs?: number
}

/** In the order of their creation. */
export async function listMonitors(db: RecordsDatabase): Promise<StoredMonitor[]> {
  return (await db.selectFrom('monitors').selectAll().orderBy('id').execute()).map(fromRow)
}

export async function countMonitors(db: RecordsDatabase): Promise<number> {
  const { count } = await db
    .selectFrom('monitors')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findMonitor(db: RecordsDatabase, id: string): Promise<StoredMonitor | undefined> {
  const row = await db.selectFrom('monitors').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** As {@link findMonitor}, and keeps others from changing it until the transaction ends. */
export async function lockMonitor(db: RecordsDatabase, id: string): Promise<StoredMonitor | undefined> {
  const row = await db.selectFrom('monitors').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && fromRow(row)
}

export async function insertMonitor(db: RecordsDatabase, monitor: StoredMonitor): Promise<void> {
  const { id, createdAtMs, createdBy } = monitor
  const row = { id, created_at_ms: BigInt(createdAtMs), created_by: createdBy, ...toMembers(monitor) }
  await db.insertInto('monitors').values(row).execute()
}

/** @returns the monitor's next version */
export async function updateMonitor(
  db: RecordsDatabase,
  before: StoredMonitor,
  update: Partial<Pick<StoredMonitor, 'definition' | 'state'>>,
): Promise<StoredMonitor> {
  const after = { ...before, ...update, version: before.version + 1n }
  await db.updateTable('monitors').set(toMembers(after)).where('id', '=', after.id).execute()
  return after
}

export async function deleteMonitor(db: RecordsDatabase, id: string): Promise<void> {
  await db.deleteFrom('monitors').where('id', '=', id).execute()
}

/** @param dueMax of those that are due, so many at most */
export async function readSchedule(db: RecordsDatabase, nowMs: number, dueMax: number): Promise<MonitorSchedule> {
  const now = BigInt(nowMs)
  const enabled = db.selectFrom('monitors').where('disabled', '=', 0n)
  // One that is disabled until a time runs next at that time.
  const due = await enabled
    .selectAll()
    .where('disabled_until_ms', '<=', now)
    // One that would run later than an interval from now is due too: the clock was set back.
    .where((at) => at.or([at('next_run_ms', '<=', now), at(at('next_run_ms', '-', at.ref('interval_ms')), '>', now)]))
    .orderBy('next_run_ms')
    .limit(dueMax)
    .execute()
  const next = await enabled
    .select('next_run_ms')
    .where('next_run_ms', '>', now)
    .orderBy('next_run_ms')
    .limit(1)
    .executeTakeFirst()
  return { due: due.map(fromRow), ...(next && { nextMs: Number(next.next_run_ms) }) }
}

const MS_PER_MINUTE = 60_000

function toMembers({ version, definition, state: { nextRunMs, ...found } }: StoredMonitor) {
  return {
    version,
    definition: JSON.stringify(definition),
    disabled: definition.disabled ? 1n : 0n,
    disabled_until_ms: BigInt(definition.disabledUntilMs ?? 0),
    interval_ms: BigInt(definition.intervalMinutes * MS_PER_MINUTE),
    next_run_ms: BigInt(nextRunMs),
    state: JSON.stringify(found),
  }
}

function fromRow(row: Selectable<Tables['monitors']>): StoredMonitor {
  return {
    id: row.id,
    version: row.version,
    createdAtMs: Number(row.created_at_ms),
    createdBy: row.created_by,
    definition: JSON.parse(row.definition) as MonitorDefinition,
    state: { ...(JSON.parse(row.state) as Omit<StoredMonitorState, 'nextRunMs'>), nextRunMs: Number(row.next_run_ms) },
  }
}
