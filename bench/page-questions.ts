/**
 * What the page asks first, of the last 24 hours of three datasets at once: traffic, the share of errors
 * and the 95th percentile, for five people who open it together. Prints how long each waits for the first answer and for all of them,
 * and exits 1 where that is longer than is wanted. The datasets are as ingest leaves them after ten quiet minutes; making them takes some
 * minutes more.
 *
 *   npm run bench -- page-questions          EVENTS=10000000 in each dataset, QUIET_MINUTES=10, ROUNDS=7; TMPDIR=… for another disk
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningService, startService } from '../__tests__/support/service.ts'
import { type Client, createClient } from './support/client.ts'
import { median, report, startTable, timed } from './support/figures.ts'
import { DAY_MS, rest, sendLogs } from './support/sent-logs.ts'

const EVENTS = Number(process.env.EVENTS ?? 10_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 7)
const DATASETS = ['web', 'shop', 'api']
const PEOPLE = 5
const FIRST_MS_MAX = 300
const ALL_MS_MAX = 1_000
/** As packages/dashboard/src/charts/vitals.ts writes it for a day. */
const VITALS =
  '| summarize events = count(), errors = countif(status >= 500), p95 = percentile(duration_ms, 95) by bin(_time, 5m)'

const dataDir = mkdtempSync(join(tmpdir(), 'bench-page-questions-'))
try {
  await using service = await startService({ dataDir })
  const startMs = Date.now() - DAY_MS
  for (const dataset of DATASETS) await sendLogs(service, { dataset, total: EVENTS, startMs })
  console.log(await rest(service))
  const load = `load before the questions ${loadavg()[0]?.toFixed(1)}`
  console.log(`${DATASETS.length} datasets of ${EVENTS.toLocaleString('en')} events, ${ROUNDS} rounds; ${load}`)
  console.log('| people | first answer: median, worst, ms | all answers: median, worst, ms | processor time of an answer, ms |')
  console.log('|---|---|---|---|')
  await measure(service, 1)
  const { first, all } = await measure(service, PEOPLE)
  startTable()
  judge(`first answer for ${PEOPLE} people`, first, FIRST_MS_MAX)
  judge(`all answers for ${PEOPLE} people`, all, ALL_MS_MAX)
  await service.stop()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

/** @returns the medians over people and rounds, in ms */
async function measure(service: RunningService, people: number): Promise<{ first: number; all: number }> {
  const clients: Client[] = []
  // Each of them has a token of their own, and with it a share of the engine.
  for (let n = 0; n < people; n++)
    clients.push(createClient({ url: service.url, token: await makeToken(service) }, DATASETS.length))
  const [firsts, alls, used]: [number[], number[], number[]] = [[], [], []]
  for (let round = -1; round < ROUNDS; round++) {
    const { value: waits, cpuMs } = await timed(service.pid, () => Promise.all(clients.map(openPage)))
    if (round < 0) continue
    firsts.push(...waits.map((of) => Math.min(...of)))
    alls.push(...waits.map((of) => Math.max(...of)))
    used.push(cpuMs / (people * DATASETS.length))
  }
  for (const client of clients) client.close()
  const spread = (times: readonly number[]) => `${median(times).toFixed(0)}, ${Math.max(...times).toFixed(0)}`
  console.log(`| ${people} | ${spread(firsts)} | ${spread(alls)} | ${median(used).toFixed(0)} |`)
  return { first: median(firsts), all: median(alls) }
}

async function makeToken(service: RunningService): Promise<string> {
  const own = createClient(service, 1)
  const { status, text } = await own.post('/v2/tokens', Buffer.from('{"name":"person","permissions":["query|read"]}'))
  own.close()
  if (status >= 300) throw new Error(`a token was not made: ${status} ${text}`)
  return (JSON.parse(text) as { token: string }).token
}

/** @returns how long each answer took, in ms, where all are asked at once */
async function openPage({ post }: Client): Promise<number[]> {
  const from = performance.now()
  const ask = async (dataset: string) => {
    const body = JSON.stringify({ apl: `['${dataset}'] ${VITALS}`, startTime: 'now-24h', endTime: 'now' })
    const { status, text } = await post('/v1/datasets/_apl?format=tabular', Buffer.from(body))
    if (status !== 200) throw new Error(`the service answered ${status} ${text.slice(0, 300)}`)
    return performance.now() - from
  }
  return await Promise.all(DATASETS.map(ask))
}

function judge(what: string, ms: number, wantedMs: number): void {
  report(what, `${ms.toFixed(0)} ms`, `${wantedMs} ms`, ms <= wantedMs)
}
