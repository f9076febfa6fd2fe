/**
 * What the time of an event costs, in the spelling nearly every event has: the service's own reader against the contract's and
 * `Date.parse`, each given what it needs. `node bench/event-time.ts`. Fails where the own one is not worth its lines.
 */
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { readEventTime } from '../packages/event-store/src/scan/event-time.ts'

const COUNT = 100_000
const ROUNDS = 9
/** How many times faster than the contract's reader it has to be. */
const TARGET = 2

const FIRST_MS = Date.UTC(2026, 0, 31)
const texts = Array.from({ length: COUNT }, (_, at) => new Date(FIRST_MS + at * 997).toISOString())
const buffers = texts.map((text) => Buffer.from(`"${text}"`))

const READERS = {
  'own reader': (at: number) => {
    const buffer = buffers[at] as Buffer
    return readEventTime(buffer, 0, buffer.length, undefined, false)
  },
  "contract's reader": (at: number) => parseTimestamp(JSON.parse((buffers[at] as Buffer).toString()))?.toString(),
  'Date.parse': (at: number) => Date.parse(JSON.parse((buffers[at] as Buffer).toString())),
}

const best = new Map<string, number>()
// Interleaved, so that a busy moment does not fall on one of them.
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, read] of Object.entries(READERS)) {
    const start = performance.now()
    for (let at = 0; at < COUNT; at++) read(at)
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, ((performance.now() - start) * 1e6) / COUNT))
  }
}
for (const [name, ns] of best) process.stdout.write(`${name.padEnd(18)} ${ns.toFixed(0)} ns a time\n`)
const ratio = (best.get("contract's reader") as number) / (best.get('own reader') as number)
process.stdout.write(`the own reader is ${ratio.toFixed(1)} times as fast as the contract's (target ${TARGET})\n`)
process.exitCode = ratio >= TARGET ? 0 : 1
