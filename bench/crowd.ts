/**
 * A crowd of clients that all ask at once: each has its answer within 5 s, or is refused within 1 s with the time to try again; `/healthz`
 * answers meanwhile; and 5 s later all is as before. Then 100 people look at one small chart each, with one token. Exits 1 where that is
 * not so.
 *
 *   npm run bench -- crowd [clients]          1,200 by default
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startService } from '../__tests__/support/service.ts'
import { askOnce, type CrowdAnswer, lookAtCharts, prepareCrowd, watchHealth } from './support/crowd.ts'
import type { CrowdSeen } from './support/crowd-client.ts'
import { quantileMs, rssMb, timed } from './support/figures.ts'

const CLIENTS = Number(process.argv[2] ?? 1_200)
const REQUESTS = 3
const PEOPLE = 100
const TARGETS = { answeredMs: 5_000, refusedMs: 1_000, healthMs: 100, normalMs: 500, recoveryMs: 5_000 }
const REFUSED = new Set([429, 503])

await using service = await startService()
await prepareCrowd(service)
await askOnce(service)
const took = await timed(service.pid, () => watchHealth(service, sendCrowd))
const { value: crowd, health } = took.value
const { answers } = crowd
await sleep(TARGETS.recoveryMs)
const after = await askOnce(service)
const charts = await lookAtCharts(service, PEOPLE)

const longest = (list: readonly { ms: number }[]) => Math.max(0, ...list.map(({ ms }) => ms))
const answered = answers.filter(({ status }) => status < 300)
const refused = answers.filter(({ status }) => REFUSED.has(status))
const other = answers.filter(({ status }) => status >= 300 && !REFUSED.has(status))
const healthMs = quantileMs(health, 0.99)
const faults = [
  other.length > 0 &&
    `${other.length} answers that were not meant, such as ${other[0]?.status} to ${other[0]?.kind}: ${other[0]?.text}`,
  longest(answered) > TARGETS.answeredMs && `an answer took ${longest(answered).toFixed(0)} ms`,
  longest(refused) > TARGETS.refusedMs && `a refusal took ${longest(refused).toFixed(0)} ms`,
  refused.some(({ retryAfterS }) => retryAfterS === undefined) && 'a refusal has no Retry-After',
  healthMs > TARGETS.healthMs && `99 % of /healthz took up to ${healthMs.toFixed(0)} ms`,
  health.some(({ status }) => status !== 200) && '/healthz was not 200 all the time',
  after.some(({ status, ms }) => status >= 300 || ms > TARGETS.normalMs) && `5 s later: ${describe(after)}`,
  charts.some(({ status }) => status !== 200) &&
    `${charts.filter(({ status }) => status !== 200).length} of ${PEOPLE} charts were not served: ${charts.find(({ status }) => status !== 200)?.text}`,
].filter((fault) => fault !== false)

console.log('| what | answered | longest ms | refused | of these late | longest ms |\n|---|---|---|---|---|---|')
for (const kind of new Set(answers.map((one) => one.kind))) {
  const of = (list: readonly CrowdAnswer[]) => list.filter((one) => one.kind === kind)
  const [yes, no] = [of(answered), of(refused)]
  const late = no.filter(({ ms }) => ms > TARGETS.refusedMs)
  console.log(
    `| ${kind} | ${yes.length} | ${longest(yes).toFixed(0)} | ${no.length} | ${late.length} | ${longest(no).toFixed(0)} |`,
  )
}
console.log(
  `\n${CLIENTS} clients, ${answers.length} requests in ${took.seconds.toFixed(1)} s (${(took.cpuMs / 1_000).toFixed(1)} s of processor time of the service, ${rssMb(service.pid).toFixed(0)} MB resident); /healthz ${health.length} times, p99 ${healthMs.toFixed(0)} ms; 5 s later ${describe(after)}; ${PEOPLE} charts: longest ${longest(charts).toFixed(0)} ms`,
)
console.log(
  `The clients ${crowd.isFirst ? 'went before the service' : 'shared the processors with the service'}, and were at most ${crowd.ownMs.toFixed(0)} ms late to see an answer.`,
)
for (const fault of faults) console.error(`MISSED: ${fault}`)
if (faults.length > 0) process.exitCode = 1

async function sendCrowd(): Promise<CrowdSeen> {
  const args = [service.url, service.token, String(CLIENTS), String(REQUESTS)]
  const client = fork(fileURLToPath(import.meta.resolve('./support/crowd-client.ts')), args, { serialization: 'advanced' })
  const [seen] = (await Promise.race([
    once(client, 'message'),
    once(client, 'exit').then(([code]) => {
      throw new Error(`the clients ended with ${code}`)
    }),
  ])) as [CrowdSeen]
  return seen
}

function describe(list: readonly CrowdAnswer[]): string {
  return list.map(({ kind, status, ms }) => `${kind} ${status} in ${ms.toFixed(0)} ms`).join(', ')
}
