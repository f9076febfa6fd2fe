/**
 * The storms of fairness.ts, in a process of their own: what it takes to send them is not the service's time. Each client sends its next
 * request as soon as it has an answer, whatever `Retry-After` said. Ends when its parent goes, and says then what it was answered.
 */
import { type Client, createClient, makeEvent, type Sent } from './ingest-load.ts'

const [url = '', token = '', kind = '', clients] = process.argv.slice(2)
const COUNT = Number(clients)
const START = Date.parse('2026-01-31T00:00:00Z')
const RANGE = { startTime: '2026-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' }

const query = (client: Client, apl: string) =>
  client.post('/v1/datasets/_apl?format=tabular', Buffer.from(JSON.stringify({ apl, ...RANGE })))

/** Pairs every event with every other, which takes minutes. */
const SLOW =
  "['big'] | extend k = 1 | join kind=inner (['big'] | project k = 1, m = status) on k | where hash_sha512(strcat(tostring(status), tostring(m))) contains 'no such text' | count"

const KINDS: Readonly<Record<string, (client: Client, n: number) => Promise<Sent>>> = {
  slow: (client) => query(client, SLOW),
  ingest: (client, n) =>
    client.post(
      '/v1/ingest/storm',
      Buffer.from(Array.from({ length: 100 }, (_, i) => makeEvent(n * 100 + i, START)).join('\n')),
      'application/x-ndjson',
    ),
  query: (client, n) =>
    query(client, `['big'] | where status == ${200 + (n % 300)} | summarize count() by level, bin(_time, 1m)`),
}

const ask = KINDS[kind] as (client: Client, n: number) => Promise<Sent>
const client = createClient({ url, token }, COUNT)
const answers: Record<number, number> = {}
let isOver = false
process.on('message', () => {
  isOver = true
  process.send?.(answers, () => process.exit())
})
await Promise.all(
  Array.from({ length: COUNT }, async (_, index) => {
    for (let n = index; !isOver; n += COUNT) {
      const { status } = await ask(client, n).catch(() => ({ status: 0 }))
      answers[status] = (answers[status] ?? 0) + 1
    }
  }),
)
