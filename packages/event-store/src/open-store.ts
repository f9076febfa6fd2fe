/**
 * Opens the events in the chosen place.
 */
import type { Records } from '@deployment-annotations/records/database/records'
import { EngineFiles } from './disk/engine-files.ts'
import { PartsManifest } from './disk/parts-manifest.ts'
import { openEmbeddedEngine } from './embedded/embedded-engine.ts'
import { type EventStore, type EventStoreOptions, openEventStore } from './event-store.ts'
import type { CheckedTables } from './fsck.ts'
import { ON_ONE_HOST } from './schema/event-table.ts'
import { ClusterStore } from './stores/cluster-store.ts'
import { EmbeddedStore } from './stores/embedded-store.ts'
import { ServerStore } from './stores/server-store.ts'
import type { Store } from './stores/store.ts'
import { listTables } from './tables/event-tables.ts'

/**
 * The location of the data: a directory for the embedded engine, the addresses of ClickHouse servers with the same data, or the same
 * with the name of their cluster.
 */
type StorePlace = { directory: string } | ServersPlace
type ServersPlace = { servers: readonly URL[]; cluster?: string | undefined }

/** @throws Error if the place is in use, unreadable, or written by a newer program; servers may be away */
export async function openStore(place: StorePlace, records: Records, options: EventStoreOptions): Promise<EventStore> {
  const store = await openPlace(place, records)
  try {
    return await openEventStore(store, records, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Opens the tables of events to check them: nothing is taken over, repaired or inserted. @throws as {@link openStore} */
export async function openForCheck(place: StorePlace): Promise<CheckedTables & AsyncDisposable> {
  const manifest = 'directory' in place ? { manifest: new PartsManifest(new EngineFiles(place.directory)) } : {}
  const { engine, names } =
    'directory' in place ? { engine: openEmbeddedEngine(place.directory), names: ON_ONE_HOST } : await openServers(place)
  return { engine, names, ...manifest, list: () => listTables(engine), [Symbol.asyncDispose]: () => engine.close() }
}

/** Opens only the tables of events. @throws as {@link openStore} */
export function openPlace(place: StorePlace, records: Records): Promise<Store> {
  return 'directory' in place ? EmbeddedStore.open(place.directory, records) : openServers(place)
}

function openServers({ servers, cluster }: ServersPlace): Promise<Store> {
  return cluster === undefined ? new ServerStore(servers).open() : new ClusterStore(servers, cluster).open()
}
