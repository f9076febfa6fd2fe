/**
 * A large dataset for bench/query.ts, made by the engine itself and put straight into a table of the service's own schema, with
 * its fields in the catalogue. Twelve fields: an object and an array among them; times slightly out of order.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openEventStore } from '../packages/service/src/events/event-store.ts'
import { TYPE_BITS } from '../packages/service/src/events/fields/field-types.ts'
import { addFields } from '../packages/service/src/records/dataset-records.ts'
import { openRecords } from '../packages/service/src/records/open-records.ts'
import { openEmbeddedEngine } from '../packages/service/src/store/embedded-engine.ts'

export const DATASET = 'bench'
/** Thirty days. */
export const START_NS = 1_767_225_600_000_000_000n
export const END_NS = START_NS + 30n * 86_400_000_000_000n

const CHUNK_ROWS = 500_000
const { integer, float, string, boolean, array } = TYPE_BITS
const FIELDS = new Map([
  ['status', integer],
  ['took', float],
  ['path', string],
  ['region', string],
  ['host', string],
  ['method', string],
  ['ok', boolean],
  ['bytes', integer],
  ['client_ip', string],
  ['user.id', integer],
  ['user.plan', string],
  ['tags', array],
])

/** The JSON text of event `number`. */
const EVENT = `concat('{"status":', multiIf(number % 20 = 0, '500', number % 7 = 0, '404', '200'),
',"took":', toString(round((sipHash64(number) % 1000000) / 1000, 3) + 0.0001), ',"path":"/api/users/', toString(sipHash64(number, 1) % 5000), '/orders"',
',"region":"', ['eu-west', 'eu-north', 'us-east', 'us-west', 'ap-south'][1 + sipHash64(number, 2) % 5], '"',
',"host":"web-', toString(sipHash64(number, 3) % 40), '","method":"', ['GET', 'GET', 'POST', 'PUT'][1 + number % 4], '"',
',"ok":', if(number % 20 = 0, 'false', 'true'), ',"bytes":', toString(sipHash64(number, 4) % 100000),
',"client_ip":"10.', toString(sipHash64(number, 5) % 256), '.', toString(sipHash64(number, 6) % 256), '.7"',
',"user":{"id":', toString(sipHash64(number, 7) % 100000), ',"plan":"', ['free', 'pro'][1 + number % 2], '"}',
',"tags":["a","', toString(number % 10), '"]}')`

export async function loadEvents(dataDir: string, rows: number): Promise<{ seconds: number }> {
  mkdirSync(dataDir, { recursive: true })
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  const records = await openRecords(dataDir)
  const events = await openEventStore(engine, records, { fieldsMax: 1024, isAlone: true })
  const { table } = await events.datasets.create({ name: DATASET, description: '', retentionDays: 0, createdBy: '' })
  await records.transaction((db) => addFields(db, table, FIELDS))
  const from = performance.now()
  const stepNs = (END_NS - START_NS) / BigInt(rows)
  for (let first = 0; first < rows; first += CHUNK_ROWS) {
    await engine.run(`INSERT INTO ${table} (data, _time, _sysTime, _row)
SELECT CAST(${EVENT} AS JSON(max_dynamic_paths = 256)),
  fromUnixTimestamp64Nano(toInt64(${START_NS} + ${stepNs} * number + sipHash64(number, 8) % ${stepNs}), 'UTC'), now64(9), number + 1
FROM numbers(${first}, ${Math.min(CHUNK_ROWS, rows - first)})`)
  }
  // As a dataset is after a while. A service's small inserts are merged early; ours of half a million rows would be left compact.
  await engine.run(`OPTIMIZE TABLE ${table} FINAL`)
  const seconds = (performance.now() - from) / 1_000
  await events.close()
  await engine.close()
  await records.close()
  return { seconds }
}
