/**
 * The store in this process, as a test uses it by itself: over a data directory of its own and real records.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestRecords } from '../../../__tests__/support/records.ts'
import { EmbeddedStore } from '../src/stores/embedded-store.ts'

/**
 * @param dataDir kept when given; otherwise a temporary one that goes with the store
 * @param openEngine as {@link EmbeddedStore.open} has it
 */
export async function openTestStore(dataDir?: string, openEngine?: Parameters<typeof EmbeddedStore.open>[2]) {
  const stack = new AsyncDisposableStack()
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'store-'))
  if (dataDir === undefined) stack.defer(() => rmSync(directory, { recursive: true }))
  const { records } = stack.use(await openTestRecords())
  const store = await EmbeddedStore.open(join(directory, 'engine'), records, openEngine)
  stack.defer(() => store.close())
  stack.defer(() => store.endWrites())
  return { store, records, directory, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Rows of an insert that are texts. */
export const texts = (...lines: Buffer[]) => ({ blocks: [], texts: lines })
