/**
 * `node bench/mixed-load.ts [minutes]`, by default 30: everything at once on one service. Its memory may not grow, its slowest answers may
 * not become slower, and no answer is an error but those of a service that has enough to do (503 with `Retry-After`). What was
 * acknowledged is there at the end. Exits 1 where that is not so.
 */
import { startService } from '../__tests__/support/service.ts'
import { quantile, rssMb } from './ingest-load.ts'
import { type Answered, countEvents, runMixedLoad } from './mixed-traffic.ts'

const MINUTES = Number(process.argv[2] ?? 30)
const GROWTH_MAX = 0.05
const SLOWER_MAX = 2
const MEANT = new Set([200, 201, 204, 503])

await using service = await startService()
const memory: { minute: number; mb: number }[] = []
const watching = setInterval(() => memory.push({ minute: memory.length / 6, mb: rssMb(service.pid) }), 10_000)
const { answers, acknowledged, kept } = await runMixedLoad(service, MINUTES * 60)
clearInterval(watching)

const stored = await countEvents(service)
const wrong = answers.filter(({ status }) => !MEANT.has(status))
// The first third fills caches and pools.
const settled = memory.slice(Math.floor(memory.length / 3))
const growth = (slope(settled) * 10) / (settled[0]?.mb ?? Number.NaN)
const faults = [
  wrong.length > 0 && `${wrong.length} answers that were not meant, such as ${wrong[0]?.status} to ${wrong[0]?.kind}`,
  stored !== acknowledged && `${acknowledged} events acknowledged, ${stored} there`,
  !(growth <= GROWTH_MAX) && `memory grows by ${percent(growth)} in 10 minutes`,
  ...kinds().map(([kind, all]) => isSlower(all) && `${kind} becomes slower`),
].filter((fault) => fault !== false)

console.log(`| what | answers | p50 ms | p99 ms | p99 ms, last third | 503 |\n|---|---|---|---|---|---|`)
for (const [kind, all] of kinds()) {
  const ms = (some: readonly Answered[], share: number) =>
    quantile(
      some.map((one) => one.ms),
      share,
    ).toFixed(0)
  const shed = all.filter(({ status }) => status === 503).length
  console.log(`| ${kind} | ${all.length} | ${ms(all, 0.5)} | ${ms(all, 0.99)} | ${ms(thirds(all)[2], 0.99)} | ${shed} |`)
}
console.log(
  `\n${acknowledged} events and ${kept.length} annotations; memory ${describeMemory()}, ${percent(growth)} in 10 minutes`,
)
for (const fault of faults) console.error(`MISSED: ${fault}`)
if (faults.length > 0) process.exitCode = 1

function kinds(): [string, Answered[]][] {
  const names = [...new Set(answers.map(({ kind }) => kind))]
  return names.map((name) => [name, answers.filter(({ kind }) => kind === name)])
}

function thirds(all: readonly Answered[]): [Answered[], Answered[], Answered[]] {
  const length = (MINUTES * 60_000) / 3
  const part = (n: number) => all.filter(({ atMs }) => Math.min(2, Math.floor(atMs / length)) === n)
  return [part(0), part(1), part(2)]
}

/** Against the middle, because at the beginning there is little to look through. */
function isSlower(all: readonly Answered[]): boolean {
  const [, middle, last] = thirds(all).map((some) =>
    quantile(
      some.map(({ ms }) => ms),
      0.99,
    ),
  )
  return (last as number) > (middle as number) * SLOWER_MAX
}

/** In MB a minute, by least squares. */
function slope(points: readonly { minute: number; mb: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(({ minute }) => minute)), mean(points.map(({ mb }) => mb))]
  const over = points.reduce((sum, { minute, mb }) => sum + (minute - x) * (mb - y), 0)
  return over / points.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
}

function describeMemory(): string {
  const [first, last] = [settled[0], settled.at(-1)].map((point) => `${Math.round(point?.mb ?? Number.NaN)} MB`)
  return `${first} after a third of the time, ${last} at the end`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
