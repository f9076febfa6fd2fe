/**
 * A large dataset, made by the engine itself and put straight into a table of the service's own schema, with its fields in the catalogue.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openEventStore } from '../packages/event-store/src/event-store.ts'
import { EmbeddedStore } from '../packages/event-store/src/stores/embedded-store.ts'
import { addFields, type StoredFields } from '../packages/records/src/dataset-records.ts'
import { openRecords } from '../packages/records/src/open-records.ts'

/** What a dataset for measurements has in it. */
export interface Recipe {
  name: string
  /** Names and types, as the catalogue has them. */
  fields: StoredFields
  /** SQL for the JSON text of event `number`. */
  event: string
  /** How many events the engine makes at a time. */
  chunkRows: number
  /** Nanoseconds since the epoch; the events are spread over it, slightly out of order. */
  startNs: bigint
  endNs: bigint
}

/** @returns how long the engine took */
export async function loadDataset(dataDir: string, recipe: Recipe, rows: number): Promise<{ seconds: number }> {
  const { name, fields, event, chunkRows, startNs, endNs } = recipe
  mkdirSync(dataDir, { recursive: true })
  const records = await openRecords(dataDir)
  const store = await EmbeddedStore.open(join(dataDir, 'engine'), records)
  const { engine } = store
  const events = await openEventStore(store, records, { fieldsMax: 1024 })
  const { table } = await events.datasets.create({ name, description: '', retentionDays: 0, createdBy: '' })
  await records.transaction((db) => addFields(db, [{ table, fields }]))
  const from = performance.now()
  const stepNs = (endNs - startNs) / BigInt(rows)
  for (let first = 0; first < rows; first += chunkRows) {
    await engine.run(`INSERT INTO ${table} (data, _time, _sysTime, _row)
SELECT CAST(${event} AS JSON(max_dynamic_paths = 256)),
  fromUnixTimestamp64Nano(toInt64(${startNs} + ${stepNs} * number + sipHash64(number, 8) % ${stepNs}), 'UTC'), now64(9), number + 1
FROM numbers(${first}, ${Math.min(chunkRows, rows - first)})`)
  }
  const seconds = (performance.now() - from) / 1_000
  await events.close()
  await store.close()
  await records.close()
  return { seconds }
}
