/**
 * Opens the store: the engine of choice, its tables at the version we know, and the interfaces over them.
 */
import { type EventStore, type EventStoreOptions, openEventStore } from '../events/event-store.ts'
import { createAnnotationTable } from './annotation-table.ts'
import { type Engine, openEmbeddedEngine, openServerEngine } from './engine.ts'
import { migrate } from './schema/migrations.ts'
import type { Store } from './store.ts'

/** Where the data is: a directory for the embedded engine, or a ClickHouse server. */
export type StorePlace = { directory: string } | { server: URL }

/** The store with its events. */
export interface OpenStore extends Store {
  events: EventStore
}

/** @throws Error when the place is in use, unreadable, unreachable, or written by a newer program */
export async function openStore(place: StorePlace, options: Omit<EventStoreOptions, 'isAlone'>): Promise<OpenStore> {
  const engine = 'directory' in place ? openEmbeddedEngine(place.directory) : await openServerEngine(place.server)
  try {
    await migrate(engine)
    return createStore(engine, await openEventStore(engine, { ...options, isAlone: 'directory' in place }))
  } catch (error) {
    await engine.close()
    throw error
  }
}

function createStore(engine: Engine, events: EventStore): OpenStore {
  return {
    events,
    annotations: createAnnotationTable(engine),
    async check() {
      await engine.select('SELECT id FROM annotations LIMIT 1')
    },
    async close() {
      await events.close()
      await engine.close()
    },
  }
}
