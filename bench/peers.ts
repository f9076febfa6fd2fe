/**
 * The same events in this service and in what people would pick in its place, and the same questions to all of
 * them. Prints the tables of docs/performance.md; exits 1 where answers differ, and where the service misses what is wanted of it, however
 * many events there are. The service is asked as ingest leaves it after ten quiet minutes, and a merged copy of it beside that; the others
 * merge everything first. What is not installed is left out, with a word, and so is VictoriaLogs where `VICTORIA_LOGS` names no binary.
 *
 *   npm run bench -- peers
 *
 *   QUIET_MINUTES=2 for less rest, EVENTS=20000 ROUNDS=1 for a short one, STORES=service,chdb for some of them; TMPDIR=…
 *   for another disk. The requests are kept in memory: 350 bytes an event.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { compare } from './peers/answers.ts'
import { makeBodies } from './peers/events.ts'
import { constantsOf, QUESTIONS, type Question } from './peers/questions.ts'
import { OPENERS } from './peers/stores.ts'
import type { Row, System } from './peers/system.ts'
import { VICTORIA_LOGS } from './peers/victoria-logs.ts'
import { median, quantile } from './support/figures.ts'

process.env.UV_THREADPOOL_SIZE ??= '16'

const EVENTS = Number(process.env.EVENTS ?? 2_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 7)

/** Wanted of the service, as ingest leaves it. */
const P99_MS_MAX = 200
const EVENT_BYTES_MAX = 66

const folder = mkdtempSync(join(tmpdir(), 'bench-peers-'))
const lines: string[] = []
const table = (columns: readonly string[], rows: readonly (readonly string[])[]) => {
  for (const cells of [columns, columns.map(() => '---'), ...rows]) lines.push(`| ${cells.join(' | ')} |`)
  lines.push('')
}
try {
  await using stack = new AsyncDisposableStack()
  lines.push(machine(), '')
  const systems = await load(stack)
  await ask(systems)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${lines.join('\n')}`)

function machine(): string {
  const gib = Math.round(totalmem() / 2 ** 30)
  const [cpu] = cpus()
  return `${EVENTS.toLocaleString('en')} events, ${ROUNDS} rounds; ${cpus().length} × ${cpu?.model.trim()}, ${gib} GiB, Node ${process.version}; load before the start ${loadavg()[0]?.toFixed(1)}.`
}

/** One after the other, so that each has the machine to itself. */
async function load(stack: AsyncDisposableStack): Promise<System[]> {
  const bodies = makeBodies(EVENTS)
  const systems: System[] = []
  const rows: string[][] = []
  for (const [key, open] of Object.entries(OPENERS)) {
    const system = await open(join(folder, key))
    if (!system) {
      console.log(`${key} is not installed here, and left out`)
      continue
    }
    stack.use(system)
    systems.push(system)
    const from = performance.now()
    const times = await insertAll(system, bodies)
    const rate = EVENTS / ((performance.now() - from) / 1_000)
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    const bytes = (await system.settle()) / EVENTS
    const merged = await system.merged?.()
    if (merged) systems.push(stack.use(merged))
    if (key === 'service') judgeService(p99, bytes)
    console.log(`${system.name}: ${Math.round(rate).toLocaleString('en')} events/s`)
    rows.push([
      `${system.name} ${system.version}`,
      system.promise,
      String(system.writers),
      Math.round(rate).toLocaleString('en'),
      `${Math.round(p50)}, ${Math.round(p99)}`,
      bytes === 0 ? '–' : bytes.toFixed(0),
    ])
  }
  table(['1,000 events a request', 'acknowledged means', 'writers', 'events/s', 'median, p99 ms', 'bytes an event'], rows)
  return systems
}

/** @returns milliseconds of each request */
async function insertAll({ writers, insert }: System, bodies: readonly Buffer[]): Promise<number[]> {
  let next = 0
  const times: number[] = []
  const write = async (_: unknown, writer: number) => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      const from = performance.now()
      await insert(body, writer)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return times
}

function judgeService(p99: number, bytes: number): void {
  const figures = [
    ['p99 of a request, ms', p99, P99_MS_MAX],
    ['bytes an event', bytes, EVENT_BYTES_MAX],
  ] as const
  for (const [what, value, wanted] of figures) {
    // A few events are still in the write-ahead log, and in no part that has a size.
    if (value === 0) continue
    lines.push(`${what}: ${value.toFixed(0)}, ≤ ${wanted} is wanted: ${value <= wanted ? 'met' : 'missed'}`, '')
    if (value > wanted) process.exitCode = 1
  }
}

/** All systems in turn; the first round warms up. */
async function ask(systems: readonly System[]): Promise<void> {
  const times = QUESTIONS.map(() => systems.map((): number[] => []))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, question] of QUESTIONS.entries()) {
      const constants = constantsOf(round, EVENTS)
      const answers = new Map<System, readonly Row[]>()
      for (const system of round % 2 === 0 ? systems : systems.toReversed()) {
        const run = await system.prepare(question, constants)
        const from = performance.now()
        answers.set(system, await run())
        if (round > 0) times[index]?.[systems.indexOf(system)]?.push(performance.now() - from)
      }
      const [first] = systems as [System]
      for (const [system, answer] of answers) compare(question, answers.get(first) ?? [], answer, [first.name, system.name])
    }
    console.log(`round ${round} of ${ROUNDS}: ${QUESTIONS.length} questions were answered alike`)
  }
  const peer = systems.findIndex(({ name }) => name === VICTORIA_LOGS)
  const rows = QUESTIONS.map((question, index) => {
    const [ours, ...others] = (times[index] ?? []) as [number[], ...number[][]]
    const wanted = judge(median(ours), question, times[index]?.[peer])
    return [question.name, wanted, figure(ours), ...others.map((one) => figure(one, median(ours)))]
  })
  table(['median (minimum), ms', 'wanted', ...systems.map(({ name }) => name)], rows)
}

function figure(times: readonly number[], of?: number): string {
  if (times.length === 0) return '–'
  const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
  const middle = median(times)
  return `${ms(middle)} (${ms(Math.min(...times))})${of === undefined ? '' : `, ${(middle / of).toFixed(2)} ×`}`
}

/** @param peer what VictoriaLogs took, if it was asked: how fast this machine is, as well as nothing else says it */
function judge(ms: number, { wantedMs, victoriaLogsMs }: Question, peer: readonly number[] = []): string {
  if (ms <= wantedMs) return `≤ ${wantedMs}: met`
  const slower = peer.length === 0 || victoriaLogsMs === undefined ? 1 : Math.max(1, median(peer) / victoriaLogsMs)
  const here = (wantedMs * slower).toFixed(0)
  if (ms <= wantedMs * slower) return `≤ ${wantedMs}, ≤ ${here} beside VictoriaLogs: met`
  process.exitCode = 1
  return slower === 1 ? `≤ ${wantedMs}: missed` : `≤ ${wantedMs}, ≤ ${here} beside VictoriaLogs: missed`
}
