/**
 * `node bench/releases.ts [rounds] [seconds]`, by default 6 and 20: what 1,000 releases an hour, which the service judges by itself, take
 * from ingest. Two services, one of which judges none, take turns with the same load. Exits 1 where more is taken than is allowed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../__tests__/support/service.ts'
import { createClient, makeLogEvent, quantile, repeat, type Target } from './ingest-load.ts'

const ROUNDS = Number(process.argv[2] ?? 6)
const SECONDS = Number(process.argv[3] ?? 20)
const RELEASES_AN_HOUR = 1_000
const RATIO_MIN = 0.8
const EVENTS = 1_000
const SPAN_MS = 90 * 60_000
const BODIES = Array.from({ length: 50 }, (_, body) => {
  const from = Date.now() - SPAN_MS
  const events = Array.from({ length: EVENTS }, (_, i) => ({ i: body * EVENTS + i, at: from + (i * SPAN_MS) / EVENTS }))
  return Buffer.from(events.map(({ i, at }) => makeLogEvent(i, at - i, 1)).join('\n'))
})

await using judging = await startService()
await using idle = await startService({ args: ['--judge-types', ''] })
const rates: Record<'judging' | 'idle', number[]> = { judging: [], idle: [] }
for (const target of [judging, idle]) await ingest(target, () => true, 50)
for (let round = 0; round < ROUNDS; round++) {
  // Whatever changes with time meets both alike.
  const order = [['judging', judging] as const, ['idle', idle] as const]
  for (const [name, target] of round % 2 === 0 ? order : order.reverse()) rates[name].push(await load(target))
}
const judged = await countJudged(judging)
const ratios = rates.judging.map((rate, round) => rate / (rates.idle[round] ?? Number.NaN))
const ratio = quantile(ratios, 0.5)
console.log('| | events/s |\n|---|---|')
for (const [name, all] of Object.entries(rates)) console.log(`| ${name} | ${all.map((rate) => rate.toFixed(0)).join(', ')} |`)
const made = Math.round((ROUNDS * SECONDS * RELEASES_AN_HOUR) / 3_600)
console.log(
  `\nwith judging ${ratio.toFixed(2)} of ingest without (${ratios.map((one) => one.toFixed(2)).join(', ')}); ${judged} of about ${made} releases judged by then`,
)
if (!(ratio >= RATIO_MIN)) {
  console.error(`MISSED: at least ${RATIO_MIN} is wanted`)
  process.exitCode = 1
}

/** @returns events a second, while releases of eleven minutes ago arrive: each is due at once */
async function load(target: Target): Promise<number> {
  const ending = new AbortController()
  const marking = mark(target, ending.signal)
  const fromMs = performance.now()
  const requests = await ingest(target, () => performance.now() - fromMs < SECONDS * 1_000)
  const tookMs = performance.now() - fromMs
  ending.abort()
  await marking
  return (requests * EVENTS * 1_000) / tookMs
}

/** @returns how many requests there were */
async function ingest(target: Target, go: () => boolean, most = Number.POSITIVE_INFINITY): Promise<number> {
  const client = createClient(target, 4)
  let left = most
  const times = await repeat(
    4,
    () => left > 0 && go(),
    (index) => {
      left--
      return client.post('/v1/datasets/web/ingest', BODIES[index % BODIES.length] as Buffer, 'application/x-ndjson')
    },
  )
  client.close()
  return times.length
}

async function mark(target: Target, signal: AbortSignal): Promise<void> {
  const client = createClient(target, 1)
  while (!signal.aborted) {
    const time = new Date(Date.now() - 11 * 60_000).toISOString()
    const { status, text } = await client.post(
      '/v2/annotations',
      Buffer.from(JSON.stringify({ datasets: ['web'], type: 'deploy', title: 'web 1.0.0', time })),
    )
    if (status !== 201) throw new Error(`${status} ${text}`)
    await sleep(3_600_000 / RELEASES_AN_HOUR, undefined, { signal }).catch(() => undefined)
  }
  client.close()
}

async function countJudged(target: Target): Promise<number> {
  const client = createClient(target, 1)
  const { text } = await client.get('/v2/annotations?verdict=worse,gone,lower,higher,better,too-little-data,same')
  client.close()
  return (JSON.parse(text) as unknown[]).length
}
