/**
 * Everything at once on one service: its memory may not grow, its slowest answers may not become slower, and no answer is an error but
 * those of a service that has enough to do (503 with `Retry-After`). What was acknowledged is there at the end. Exits 1 where that is not
 * so.
 *
 *   npm run bench -- mixed [minutes] [pause]  30 by default; each kind pauses so many milliseconds between its requests, none by default
 */
import { startService } from '../__tests__/support/service.ts'
import { quantileMs, rssMb } from './support/figures.ts'
import { type Answered, countEvents, runMixedLoad } from './support/mixed.ts'

const [MINUTES, PAUSE_MS] = [process.argv[2] ?? 30, process.argv[3] ?? 0].map(Number) as [number, number]
const GROWTH_MAX = 0.05
const SLOWER_MAX = 2
const MEANT = new Set([200, 201, 204, 503])

await using service = await startService()
const memory: { minute: number; mb: number }[] = []
const startedMs = performance.now()
const look = () => memory.push({ minute: (performance.now() - startedMs) / 60_000, mb: rssMb(service.pid) })
const watching = setInterval(look, Math.min(10_000, MINUTES * 1_000))
look()
const { answers, acknowledged, kept } = await runMixedLoad(service, MINUTES * 60, PAUSE_MS)
clearInterval(watching)
look()

const stored = await countEvents(service)
const wrong = answers.filter(({ status }) => !MEANT.has(status))
// The first third fills caches and pools.
const settled = memory.slice(Math.floor(memory.length / 3))
const growth = (slope(settled) * 10) / (settled[0]?.mb ?? Number.NaN)
const faults = [
  wrong.length > 0 && `${wrong.length} answers that were not meant, such as ${wrong[0]?.status} to ${wrong[0]?.kind}`,
  stored !== acknowledged && `${acknowledged} events acknowledged, ${stored} there`,
  !(growth <= GROWTH_MAX) && `memory grows by ${percent(growth)} in 10 minutes; ${percent(GROWTH_MAX)} are allowed`,
  ...kinds().map(
    ([kind, all]) => isSlower(all) && `${kind} becomes slower: its p99 is over ${SLOWER_MAX} times that of the middle third`,
  ),
].filter((fault) => fault !== false)

printAnswers()
const mbAt = (at: number) => settled.at(at)?.mb.toFixed(0)
console.log(`\nmemory from the second third on: ${mbAt(0)} to ${mbAt(-1)} MB, ${percent(growth)} in 10 minutes`)
console.log(`\n${acknowledged} events acknowledged, ${stored} there; ${kept.length} annotations kept`)
for (const fault of faults) console.error(`MISSED: ${fault}`)
console.log(
  `\n${faults.length === 0 ? 'PASSED' : 'FAILED'}: ${MINUTES} minutes, ${answers.length} answers, ${faults.length} faults`,
)
if (faults.length > 0) process.exitCode = 1

function printAnswers(): void {
  console.log(`| what | answers | p50 ms | p99 ms | p99 by third | longest ms |\n|---|---|---|---|---|---|`)
  const ms = (some: readonly Answered[], share: number) => quantileMs(some, share).toFixed(0)
  for (const [kind, all] of kinds()) {
    const parts = thirds(all).map((part) => ms(part, 0.99))
    console.log(`| ${kind} | ${all.length} | ${ms(all, 0.5)} | ${ms(all, 0.99)} | ${parts.join(', ')} | ${ms(all, 1)} |`)
  }
}

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
  const [, middle, last] = thirds(all).map((some) => quantileMs(some, 0.99))
  return (last as number) > (middle as number) * SLOWER_MAX
}

/** In MB a minute, by least squares. */
function slope(points: readonly { minute: number; mb: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(({ minute }) => minute)), mean(points.map(({ mb }) => mb))]
  const over = points.reduce((sum, { minute, mb }) => sum + (minute - x) * (mb - y), 0)
  return over / points.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
