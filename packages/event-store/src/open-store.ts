/**
 * Opens the store of choice with its events, a reader, and what moves events in and out whole.
 */
import type { Records } from '@deployment-annotations/records/records'
import type { DamagedTable } from './disk/data-disk.ts'
import type { Repair } from './disk/repair.ts'
import { type EventStore, type EventStoreOptions, openEventStore } from './event-store.ts'
import type { GeoDatabase } from './geo/geo-database.ts'
import { READ_LIMITS, type Reader, type ReadLimits } from './reading/reader.ts'
import { ClusterStore } from './stores/cluster-store.ts'
import { EmbeddedStore } from './stores/embedded-store.ts'
import { ServerStore } from './stores/server-store.ts'
import type { Store } from './stores/store.ts'
import { createEventChunks, type EventChunks } from './tables/event-chunks.ts'
import type { StoredSize } from './tables/stored-size.ts'

/**
 * Where the data is: a directory for the embedded engine, ClickHouse servers by addresses that lead to the same data, or a cluster of
 * them by its name.
 */
type StorePlace = { directory: string } | { servers: readonly URL[]; cluster?: string | undefined }

/** The store with its events, a reader, and chunks that take events out whole. */
export interface OpenStore {
  events: EventStore
  reader: Reader
  chunks: EventChunks
  /** Where addresses are, if the operator gave a database of them. */
  geo?: GeoDatabase
  /** What all events take up; `undefined` where it cannot be told. */
  measure(): Promise<StoredSize | undefined>
  /** Tables whose events are missing, all or some. */
  readonly damagedTables: readonly DamagedTable[]
  /** What was restored or set aside so that the engine could open. */
  readonly repairs: readonly Repair[]
  /** Rejects when the store cannot be read. */
  check(): Promise<void>
  /** Waits for what is under way, then closes; nothing may be asked of the store afterwards. */
  close(): Promise<void>
}

interface StoreOptions extends EventStoreOptions {
  readLimits?: ReadLimits
  /** A file of addresses. */
  geoDatabase?: string | undefined
}

/** @throws Error when the place is in use, unreadable, unreachable, or written by a newer program */
export async function openStore(place: StorePlace, records: Records, options: StoreOptions): Promise<OpenStore> {
  const store = await openPlace(place, records)
  try {
    const events = await openEventStore(store, records, options)
    const reader = store.openReader(options.readLimits ?? READ_LIMITS)
    const geo = options.geoDatabase === undefined ? undefined : store.openGeo(options.geoDatabase)
    return {
      events,
      reader,
      chunks: createEventChunks(store),
      ...(geo && { geo }),
      repairs: store.repairs,
      get damagedTables() {
        return events.damagedTables()
      },
      measure: () => store.measure(),
      check: () => store.check(),
      async close() {
        await events.close()
        await reader.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Opens the tables of events alone. @throws as {@link openStore} */
export function openPlace(place: StorePlace, records: Records): Promise<Store> {
  if ('directory' in place) return EmbeddedStore.open(place.directory, records)
  const { servers, cluster } = place
  return cluster === undefined ? ServerStore.open(servers) : ClusterStore.open(servers, cluster)
}
