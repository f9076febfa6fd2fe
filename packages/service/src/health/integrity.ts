/**
 * Whether everything is there that was acknowledged, as far as the service knows: what it found at its start, and what it came upon since.
 * Deliberately not here: the names of damaged datasets, which the health has beside its parts.
 */
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { Records } from '@deployment-annotations/records/database/records'

/** What may be missing, as numbers. */
interface Losses {
  /** Acknowledged requests that damage of the write-ahead log may have taken away. */
  requests: number
  /** Whether it may be more of them. */
  isAtLeast: boolean
  datasets: number
  /** Events of them that are missing, as far as it is known. */
  events: number
  /** Tables of events that no record names. */
  tables: number
  /** What SQLite finds wrong in the file of the records. */
  records: number
}

type CheckedRecords = Pick<Records, 'damage'>
type CheckedStore = Pick<EventStore, 'tables' | 'damaged' | 'strays'>

export function countLosses({ tables, damaged, strays }: CheckedStore, { damage }: CheckedRecords): Losses {
  const damages = tables.log?.damages ?? []
  const damagedTables = damaged.list()
  return {
    requests: damages.reduce((sum, { requests }) => sum + requests, 0),
    isAtLeast: damages.some(({ isAtLeast }) => isAtLeast),
    datasets: damagedTables.length,
    events: damagedTables.reduce((sum, { rows }) => sum + rows, 0),
    tables: strays.unknown.length,
    records: damage.length,
  }
}

/** @returns the figure for alarms: an unknown number of requests is one at least */
export const countRequests = ({ requests, isAtLeast }: Pick<Losses, 'requests' | 'isAtLeast'>): number =>
  isAtLeast ? Math.max(1, requests) : requests

export function checkIntegrity(
  store: CheckedStore,
  records: CheckedRecords,
): { status: 'degraded'; message: string } | undefined {
  const losses = countLosses(store, records)
  const missing = losses.events > 0 ? `, ${losses.events} are missing` : ''
  const messages = [
    ...(countRequests(losses) > 0 ? [`${describeRequests(losses)} may be missing: the write-ahead log was damaged`] : []),
    ...(losses.datasets > 0 ? [`events of ${plural(losses.datasets, 'dataset')} are damaged${missing}`] : []),
    ...(losses.records > 0 ? ['the file of the records is damaged'] : []),
    ...(losses.tables > 0 ? [`the records know nothing of ${plural(losses.tables, 'table')} of events`] : []),
  ]
  return messages.length === 0 ? undefined : { status: 'degraded', message: messages.join('; ') }
}

/** @returns for example `3 acknowledged requests`, or `acknowledged requests` if nobody knows how many */
export function describeRequests({ requests, isAtLeast }: Pick<Losses, 'requests' | 'isAtLeast'>): string {
  if (!isAtLeast) return plural(requests, 'acknowledged request')
  return requests === 0 ? 'acknowledged requests' : `${plural(requests, 'acknowledged request')}, or more,`
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
