/**
 * Events of a web server's log for bench/indexes.ts, made by the engine itself and put straight into a table of the service's own
 * schema: fields of few texts and of many, a trace id, and a message of words and numbers. 350 bytes each, over one day.
 */
import { TYPE_BITS } from '../packages/event-store/src/fields/field.ts'
import { loadDataset, type Recipe } from './load-dataset.ts'

const { integer, float, string } = TYPE_BITS
const TEXTS = ['path', 'region', 'host', 'method', 'client_ip', 'user_id', 'trace_id', 'level', 'message']
const FIELDS = new Map([
  ['status', integer],
  ['took', float],
  ['bytes', integer],
  ...TEXTS.map((name): [string, number] => [name, string]),
])

const WORDS =
  'connection timeout user request finished cache miss retry database payment order shipped token expired session opened closed queue worker started stopped failed upstream gateway response slow memory disk fine accepted'.split(
    ' ',
  )
const word = (seed: number) => `['${WORDS.join("','")}'][1 + sipHash64(number, ${seed}) % ${WORDS.length}]`

/** The JSON text of event `number`. The word "zebrafish" is in one of 200,000. */
const EVENT = `concat('{"status":', multiIf(sipHash64(number, 20) % 50 = 0, '500', number % 7 = 0, '404', '200'),
',"took":', toString(round((sipHash64(number) % 1000000) / 1000, 3) + 0.0001), ',"path":"/api/v1/users/', toString(sipHash64(number, 1) % 500), '/orders"',
',"region":"', ['eu-west', 'eu-north', 'us-east', 'us-west', 'ap-south'][1 + sipHash64(number, 2) % 5], '"',
',"host":"web-', toString(sipHash64(number, 3) % 200), '","method":"', ['GET', 'GET', 'POST', 'PUT'][1 + sipHash64(number, 9) % 4], '"',
',"bytes":', toString(sipHash64(number, 4) % 100000),
',"client_ip":"10.', toString(sipHash64(number, 5) % 256), '.', toString(sipHash64(number, 6) % 256), '.7"',
',"user_id":"u', toString(sipHash64(number, 7) % 50000), '","trace_id":"', lower(hex(sipHash128(number, 8))), '"',
',"level":"', ['info', 'info', 'warn', 'error'][1 + sipHash64(number, 10) % 4], '"',
',"message":"', ${[31, 32, 33, 34, 35, 36, 37, 38].map(word).join(", ' ', ")}, if(sipHash64(number, 40) % 200000 = 0, ' zebrafish', ''),
' after ', toString(sipHash64(number, 41) % 1000), ' ms, attempt ', toString(sipHash64(number, 42) % 5), '"}')`

const LOGS: Recipe = {
  name: 'logs',
  fields: FIELDS,
  event: EVENT,
  chunkRows: 250_000,
  startNs: 1_763_596_800_000_000_000n,
  endNs: 1_763_683_200_000_000_000n,
}
export const { name: DATASET, startNs: START_NS, endNs: END_NS } = LOGS

export const loadLogs = (dataDir: string, rows: number) => loadDataset(dataDir, LOGS, rows)
