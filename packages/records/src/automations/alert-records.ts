/**
 * The history of monitors as records: when each alert was opened and closed. Only the newest alerts of each monitor are stored, and
 * they are deleted together with it.
 */
import type { RecordsDatabase } from '../database/records.ts'
import { ALERT_CODEC, type StoredAlert } from '../schema/monitors.ts'

export type { StoredAlert } from '../schema/monitors.ts'

/** The history of one monitor has at most this many rows. */
const ALERTS_MAX = 1_000

/** Runs as part of a transaction. Repeating it changes nothing. */
export async function insertAlerts(db: RecordsDatabase, monitorId: string, alerts: readonly StoredAlert[]): Promise<void> {
  if (alerts.length === 0) return
  const rows = alerts.map((alert) => ({ monitor_id: monitorId, ...ALERT_CODEC.toRow(alert) }))
  await db
    .insertInto('monitor_alerts')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const ofMonitor = db.selectFrom('monitor_alerts').where('monitor_id', '=', monitorId)
  const newestOld = ofMonitor.select('at_ms').orderBy('at_ms', 'desc').offset(ALERTS_MAX).limit(1)
  await db.deleteFrom('monitor_alerts').where('monitor_id', '=', monitorId).where('at_ms', '<=', newestOld).execute()
}

/** @returns the alerts between two times, both included, the oldest first */
export async function listAlerts(
  db: RecordsDatabase,
  monitorId: string,
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<StoredAlert[]> {
  const rows = await db
    .selectFrom('monitor_alerts')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .where('at_ms', '>=', BigInt(startMs))
    .where('at_ms', '<=', BigInt(endMs))
    .orderBy('at_ms')
    .orderBy('check_id')
    // Of two rows with the same time, the opening comes first.
    .orderBy('state', 'desc')
    .execute()
  return rows.map(ALERT_CODEC.fromRow)
}
