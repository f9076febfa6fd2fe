/**
 * Opens the store: the engine of choice, its tables at the version we know, and the interfaces over them.
 */
import { createAnnotationTable } from './annotation-table.ts'
import { type Engine, openEmbeddedEngine, openServerEngine } from './engine.ts'
import { migrate } from './schema/migrations.ts'
import type { Store } from './store.ts'

/** Where the data is: a directory for the embedded engine, or a ClickHouse server. */
export type StorePlace = { directory: string } | { server: URL }

/** @throws Error when the place is in use, unreadable, unreachable, or written by a newer program */
export async function openStore(place: StorePlace): Promise<Store> {
  const engine = 'directory' in place ? openEmbeddedEngine(place.directory) : await openServerEngine(place.server)
  try {
    await migrate(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  return createStore(engine)
}

function createStore(engine: Engine): Store {
  return {
    annotations: createAnnotationTable(engine),
    async check() {
      await engine.select('SELECT id FROM annotations LIMIT 1')
    },
    close: () => engine.close(),
  }
}
