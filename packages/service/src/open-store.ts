/**
 * Opens the store: the engine of choice, its tables at the version we know, and the interfaces over them.
 */

import { type EventStore, type EventStoreOptions, openEventStore } from './events/event-store.ts'
import type { Records } from './records/records.ts'
import { type Engine, openEmbeddedEngine, openServerEngine } from './store/engine.ts'
import { openEmbeddedReader } from './store/reading/embedded-reader.ts'
import { READ_LIMITS, type Reader, type ReadLimits } from './store/reading/reader.ts'
import { openServerReader } from './store/reading/server-reader.ts'
import { CREATE_INGEST_KEYS } from './store/schema/ingest-keys.ts'
import type { Store } from './store/store.ts'

/** Where the data is: a directory for the embedded engine, or a ClickHouse server. */
type StorePlace = { directory: string } | { server: URL }

/** The store with its events, and what reads them. */
export interface OpenStore extends Store {
  events: EventStore
  reader: Reader
}

interface StoreOptions extends Omit<EventStoreOptions, 'isAlone'> {
  readLimits?: ReadLimits
  /** Takes over what earlier versions kept in the engine, before anything is looked for in the records. */
  takeOver?(engine: Engine): Promise<void>
}

/** @throws Error when the place is in use, unreadable, unreachable, or written by a newer program */
export async function openStore(place: StorePlace, records: Records, options: StoreOptions): Promise<OpenStore> {
  const engine = 'directory' in place ? openEmbeddedEngine(place.directory) : await openServerEngine(place.server)
  try {
    await options.takeOver?.(engine)
    await engine.run(CREATE_INGEST_KEYS)
    const events = await openEventStore(engine, records, { ...options, isAlone: 'directory' in place })
    const limits = options.readLimits ?? READ_LIMITS
    const reader = 'directory' in place ? openEmbeddedReader(place.directory, limits) : openServerReader(place.server, limits)
    return createStore(engine, events, reader)
  } catch (error) {
    await engine.close()
    throw error
  }
}

function createStore(engine: Engine, events: EventStore, reader: Reader): OpenStore {
  return {
    events,
    reader,
    check: () => engine.probe('SELECT 1'),
    async close() {
      await events.close()
      await reader.close()
      await engine.close()
    },
  }
}
