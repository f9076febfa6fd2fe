/**
 * Opens the store: the engine of choice, its tables at the version we know, and the interfaces over them.
 */

import type { Records } from '@deployment-annotations/records/records'
import type { DamagedTable } from './disk/damage.ts'
import { DataDisk } from './disk/data-disk.ts'
import type { Repair } from './disk/repair.ts'
import { findHolder, openEmbeddedEngine } from './embedded/embedded-engine.ts'
import type { Engine } from './engine/engine.ts'
import { type EventStore, type EventStoreOptions, openEventStore } from './event-store.ts'
import { GeoDatabase } from './geo/geo-database.ts'
import { forgetGeoTables } from './geo/geo-tables.ts'
import { openEmbeddedReader } from './reading/embedded-reader.ts'
import { READ_LIMITS, type Reader, type ReadLimits } from './reading/reader.ts'
import { openServerReader } from './reading/server-reader.ts'
import type { Cluster } from './schema/event-table.ts'
import { openServerEngine } from './server/server-engine.ts'
import type { Store } from './store.ts'
import { createEventChunks, type EventChunks } from './tables/event-chunks.ts'
import { measureTables, type StoredSize } from './tables/stored-size.ts'

/** Where the data is: a directory for the embedded engine, or ClickHouse servers, by addresses that lead to the same data. */
type StorePlace = { directory: string } | { servers: readonly URL[] }

/** The store with its events, what reads them, and what takes them out whole. */
export interface OpenStore extends Store {
  events: EventStore
  reader: Reader
  chunks: EventChunks
  /** Where addresses are, if the operator gave a database of them. */
  geo?: GeoDatabase
  /** What all events take up; `undefined` on a cluster, whose servers have their own figures, and where it cannot be told now. */
  measure(): Promise<StoredSize | undefined>
  /** Tables whose events are missing, all or some. */
  readonly damagedTables: readonly DamagedTable[]
  /** What was restored or set aside so that the engine could open. */
  readonly repairs: readonly Repair[]
}

interface StoreOptions extends Omit<EventStoreOptions, 'isAlone' | 'disk'> {
  readLimits?: ReadLimits
  /** A file of addresses. */
  geoDatabase?: string | undefined
}

/** @throws Error when the place is in use, unreadable, unreachable, or written by a newer program */
export async function openStore(place: StorePlace, records: Records, options: StoreOptions): Promise<OpenStore> {
  const { cluster } = options
  const disk = 'directory' in place ? openDisk(place.directory) : undefined
  const engine = 'directory' in place ? openEmbeddedEngine(place.directory) : await openServerEngine(place.servers, cluster)
  try {
    const events = await openEventStore(engine, records, { ...options, isAlone: 'directory' in place, disk })
    const limits = options.readLimits ?? READ_LIMITS
    const reader =
      'directory' in place ? openEmbeddedReader(place.directory, limits) : openServerReader(place.servers, limits, cluster)
    const chunks = createEventChunks(engine, cluster)
    const geo = options.geoDatabase === undefined ? undefined : openGeo(options.geoDatabase, engine, { place, cluster })
    const repairs = disk?.repairs ?? []
    return createStore({ engine, events, reader, chunks, geo, repairs, isCluster: cluster !== undefined })
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** @returns nothing where another process has the directory open, which the engine then says */
function openDisk(engineDir: string): DataDisk | undefined {
  if (findHolder(engineDir) !== undefined) return undefined
  forgetGeoTables(engineDir)
  return new DataDisk(engineDir)
}

function openGeo(
  file: string,
  engine: Engine,
  { place, cluster }: { place: StorePlace; cluster: Cluster | undefined },
): GeoDatabase {
  if (cluster) throw new Error('--geo-database needs one ClickHouse server, and cannot be used with --clickhouse-cluster')
  const [server] = 'servers' in place ? place.servers : []
  const login = server?.username
    ? { user: decodeURIComponent(server.username), password: decodeURIComponent(server.password) }
    : undefined
  return new GeoDatabase(file, engine, login)
}

interface StoreParts {
  engine: Engine
  events: EventStore
  reader: Reader
  chunks: EventChunks
  geo: GeoDatabase | undefined
  repairs: readonly Repair[]
  isCluster: boolean
}

function createStore({ engine, events, reader, chunks, geo, repairs, isCluster }: StoreParts): OpenStore {
  return {
    events,
    reader,
    chunks,
    ...(geo && { geo }),
    repairs,
    get damagedTables() {
      return events.damagedTables()
    },
    measure: async () => (isCluster ? undefined : measureTables(engine).catch(() => undefined)),
    check: () => engine.check(),
    async close() {
      await events.close()
      await reader.close()
      await engine.close()
    },
  }
}
