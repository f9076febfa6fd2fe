/**
 * The store in this process, as a test uses it by itself: over a data directory of its own and real records.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestRecords } from '../../../__tests__/support/records.ts'
import { FieldTransaction, FieldTree } from '../src/fields/field-tree.ts'
import { EventBlocks } from '../src/native/event-block.ts'
import { appendRow } from '../src/rows/row-block.ts'
import { EventScanner } from '../src/scan/event-scanner.ts'
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

/** Lines of JSON as blocks of rows: each is an array of data, _time, _sysTime, _row, and the rest where there is any. */
export function asBlocks(...lines: Buffer[]): Buffer[] {
  const tree = new FieldTree(1_000)
  const { root, time, wrapTime } = tree
  using transaction = new FieldTransaction(tree)
  const scanner = new EventScanner({ root, time, named: [], wrapTime, wrapRest: new Set() }, transaction)
  using blocks = new EventBlocks()
  for (const [, data = '', ...columns] of Buffer.concat(lines)
    .toString()
    .matchAll(/^\[(.*?\}),([^,]+),([^,]+),"?(\d+)"?(?:,(.*))?\]$/gm)) {
    const [timeNs, sysTimeNs, row = '', rest = '{}'] = columns
    scanner.scan(Buffer.from(data), 0)
    transaction.acceptEvent()
    for (const [path, text] of Object.entries<string>(JSON.parse(rest)))
      scanner.values.rest.push({ node: tree.nodeOf(path), text: Buffer.from(text) })
    appendRow(blocks, [scanner], { time: nsOf(timeNs), sysTime: nsOf(sysTimeNs), row: BigInt(row) })
  }
  return blocks.drain().blocks.map(({ written }) => written)
}

/** @param text nanoseconds, or a time without a zone in quotes */
const nsOf = (text = '') => (text.startsWith('"') ? BigInt(Date.parse(`${text.slice(1, -1)}Z`)) * 1_000_000n : BigInt(text))
