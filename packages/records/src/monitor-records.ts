/**
 * Monitors as records: their definition, and the state that their runs left. Every function takes the database to use, so that a
 * monitor and its annotation change in one transaction.
 * Deliberately not here: wire text, and when a monitor triggers.
 */
import type { MonitorOperator, MonitorStatus, MonitorType } from '@deployment-annotations/contract/monitor'
import { type Selectable, sql } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'

/** The part of a monitor that people define. */
export interface MonitorDefinition {
  type: MonitorType
  name: string
  description?: string
  aplQuery: string
  /** If absent, nothing is compared. */
  operator?: MonitorOperator
  threshold: number
  /** The column that is compared; if absent, the last one of numbers. */
  columnName?: string
  intervalMinutes: number
  rangeMinutes: number
  alertOnNoData: boolean
  datasets: string[]
  annotationType: string
  annotationTitle?: string
  disabled: boolean
  /** The monitor does not run before this time, in milliseconds since the epoch. */
  disabledUntilMs?: number
  secondDelay: number
  notifyByGroup: boolean
  notifyEveryRun: boolean
  resolvable: boolean
  skipResolved: boolean
  triggerFromNRuns: number
  triggerAfterNPositiveResults: number
  /** The notifiers that are told when it triggers and recovers. */
  notifierIds?: string[]
  /** The only datasets that its query may read, which the token of its author named. All if absent. */
  reach?: string[]
}

/** The state of one compared series: the whole result of a query, or one of its groups. */
export interface SeriesState {
  /** The results of the last runs, the newest last: `1` if it was beyond the threshold, otherwise `0`. */
  positives?: string
  /** The annotation of the open span. */
  annotationId?: string
}

/** The state that the runs of a monitor left. Times are milliseconds since the epoch. */
export interface StoredMonitorState {
  status: MonitorStatus
  sinceMs: number
  lastRunMs?: number
  /** The time of the next run; later ones follow at its interval. */
  nextRunMs: number
  lastValue?: number
  error?: string
  /** The annotation of the open span. */
  annotationId?: string
  /** The same as in {@link SeriesState}. */
  positives?: string
  /** With notifyByGroup, the groups whose state differs from that of an unknown group. */
  groups?: Record<string, SeriesState>
  /** For MatchEvent, the positions of the events that were found and marked. */
  marked?: string[]
}

export interface StoredMonitor {
  id: string
  /** Every change and every run raises it, so that a result for an older version is recognized as late. */
  version: bigint
  createdAtMs: number
  /** The id of the token that created it. */
  createdBy: string
  definition: MonitorDefinition
  state: StoredMonitorState
}

/** The monitors that are due now, and the time when the next one is. */
interface MonitorSchedule {
  /** The most overdue monitor of each creator comes first, then the next of each. */
  due: StoredMonitor[]
  nextMs?: number
}

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

/** Reads as {@link findMonitor} does, and keeps others from changing the monitor until the transaction ends. */
export async function lockMonitor(db: RecordsDatabase, id: string): Promise<StoredMonitor | undefined> {
  const row = await db.selectFrom('monitors').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && fromRow(row)
}

export async function insertMonitor(db: RecordsDatabase, monitor: StoredMonitor): Promise<void> {
  const { id, createdAtMs, createdBy } = monitor
  const row = { id, created_at_ms: BigInt(createdAtMs), created_by: createdBy, ...toMembers(monitor) }
  await db.insertInto('monitors').values(row).execute()
}

/** @returns the monitor with its next version */
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

/** @param dueMax how many due monitors to return at most */
export async function readSchedule(db: RecordsDatabase, nowMs: number, dueMax: number): Promise<MonitorSchedule> {
  const now = BigInt(nowMs)
  const enabled = db.selectFrom('monitors').where('disabled', '=', 0n)
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
  const next = await enabled
    .select('next_run_ms')
    .where('next_run_ms', '>', now)
    .orderBy('next_run_ms')
    .limit(1)
    .executeTakeFirst()
  return { due: due.map(fromRow), ...(next && { nextMs: Number(next.next_run_ms) }) }
}

/** @returns when the monitor that is due for longest was to run, in milliseconds since the epoch */
export async function findOldestDue(db: RecordsDatabase, nowMs: number): Promise<number | undefined> {
  const now = BigInt(nowMs)
  const oldest = await db
    .selectFrom('monitors')
    .select(({ fn }) => fn.min('next_run_ms').as('oldest'))
    .where('disabled', '=', 0n)
    .where('disabled_until_ms', '<=', now)
    .where('next_run_ms', '<=', now)
    .executeTakeFirst()
  return oldest?.oldest === null || oldest?.oldest === undefined ? undefined : Number(oldest.oldest)
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
