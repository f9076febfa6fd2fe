/**
 * A large dataset for bench/query.ts, made by the engine itself and put straight into a table of the service's own schema, with
 * its fields in the catalogue. Twelve fields: an object and an array among them; times slightly out of order.
 */
import { TYPE_BITS } from '../packages/event-store/src/fields/field.ts'
import { loadDataset, type Recipe } from './load-dataset.ts'

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

/** Of thirty days. */
const EVENTS: Recipe = {
  name: 'bench',
  fields: FIELDS,
  event: EVENT,
  chunkRows: 500_000,
  startNs: 1_767_225_600_000_000_000n,
  endNs: 1_769_817_600_000_000_000n,
}
export const { name: DATASET, startNs: START_NS, endNs: END_NS } = EVENTS

export const loadEvents = (dataDir: string, rows: number) => loadDataset(dataDir, EVENTS, rows)
