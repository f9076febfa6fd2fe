/**
 * `node bench/many-datasets.ts [rounds]`: one event into each of 300 datasets at once, against 300 events into one dataset at
 * once, in turn in one run on one machine. All datasets are there before. Prints a table; exits 1 where the target is missed.
 */
import { startService } from '../__tests__/support/service.ts'
import { createClient, makeEvent, quantile, repeat, type Sent } from './ingest-load.ts'

const DATASETS = 300
/** As many as requests, so that all of them wait at once. */
const CONNECTIONS = DATASETS
const RATIO_MAX = 3
const ROUNDS = Number(process.argv[2] ?? 15)

await using service = await startService()
const client = createClient(service, CONNECTIONS)
const now = Date.now() - 86_400_000
const send = (dataset: string, index: number) =>
  client.post(`/v1/datasets/${dataset}/ingest`, Buffer.from(`[${makeEvent(index, now)}]`))
const toMany = (index: number) => send(`many-${index}`, index)
const toOne = (index: number) => send('one', index)

await once(toMany, 16)
await once(toOne, 16)
const runs = { many: [] as Run[], one: [] as Run[] }
for (let round = 0; round < ROUNDS; round++) {
  runs.many.push(await once(toMany))
  runs.one.push(await once(toOne))
}
client.close()

const ratio = median(runs.many.map(({ ms }, round) => ms / (runs.one[round] as Run).ms))
console.log(`\n| ${DATASETS} requests of one event at once | all answered after | p99 of a request |\n|---|---|---|`)
for (const [what, all] of Object.entries({ [`into ${DATASETS} datasets`]: runs.many, 'into one dataset': runs.one })) {
  console.log(
    `| ${what} | ${median(all.map(({ ms }) => ms)).toFixed(0)} ms | ${median(all.map(({ p99 }) => p99)).toFixed(0)} ms |`,
  )
}
console.log(
  `\n${ratio <= RATIO_MAX ? 'ok  ' : 'MISS'} many / one: ${ratio.toFixed(1)}, median of ${ROUNDS} rounds (target ${RATIO_MAX})`,
)
if (ratio > RATIO_MAX) process.exitCode = 1

interface Run {
  /** Until all were answered. */
  ms: number
  p99: number
}

/** One request for each dataset. */
async function once(task: (index: number) => Promise<Sent>, clients = CONNECTIONS): Promise<Run> {
  let left = DATASETS
  const from = performance.now()
  const times = await repeat(clients, () => left-- > 0, task)
  return { ms: performance.now() - from, p99: quantile(times, 0.99) }
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
