/**
 * How often a verdict is wrong: worlds in which nothing happens, worlds in which something does, and random moments of real series, each
 * alone, and worlds as the service judges them. Prints the tables of docs/compare.md; exits 1 where a bound is missed by more than the
 * chance of the rounds.
 *
 *   npm run bench -- verdicts [FOLDER]     ROUNDS=200 for fewer rounds; FOLDER has real series (bench/verdicts/real-series.ts says how)
 */
import { createChance } from '../packages/compare/__tests__/support/random.ts'
import { withShare } from '../packages/compare/src/around.ts'
import { JUDGE_DEFAULTS, judge } from '../packages/compare/src/judge.ts'
import type { Series } from '../packages/compare/src/series.ts'
import type { Verdict } from '../packages/contract/src/verdict.ts'
import { drawMoments, type RealSeries, readSeriesIn } from './verdicts/real-series.ts'
import { countRounds, SERVICE_WORLDS } from './verdicts/service-worlds.ts'
import { CHANGED, UNCHANGED, type World } from './verdicts/worlds.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 1_000)
/** A bucket of all worlds, and of real series where sixty of them are an hour. */
const BUCKET_MS = 60_000
/** Each round draws and judges the events of three days. */
const SERVICE_ROUNDS = Math.max(40, Math.round(ROUNDS / 4))
type Bounds = readonly [atLeast: number, atMost: number]
const MOMENTS = Math.max(40, Math.round(ROUNDS / 5))
/** Of a group of real series, and of a single file. */
const REAL_AT_MOST = { group: 6, file: 10 }
const [, , folder] = process.argv
const missed: string[] = []

printWorlds()
await printService()
if (folder === undefined) console.log('\nReal series are left out: name a folder that has them.')
else printReal(folder)
for (const line of missed) console.error(`missed: ${line}`)
process.exitCode = missed.length > 0 ? 1 : 0

function printWorlds(): void {
  console.log(`| ${ROUNDS} rounds each, % | called worse | wanted |\n|---|--:|--:|`)
  for (const world of [...UNCHANGED, ...CHANGED]) printWorld(world)
}

function printWorld({ name, draw, direction = 'higher-is-worse', atLeast = 0, atMost = 100, share = 1 }: World): void {
  const chance = createChance(7)
  let count = 0
  for (let round = 0; round < ROUNDS; round++) count += Number(verdictOf(draw(chance), direction, share) === 'worse')
  const found = percent(count, ROUNDS)
  check(name, found, [atLeast, atMost], ROUNDS)
  console.log(`| ${name} | ${found.toFixed(1)} | ${describeBound([atLeast, atMost])} |`)
}

/** As the service judges: five series, two other days, its looks at 5 and 10 minutes and their shares of the error rate. */
async function printService(): Promise<void> {
  console.log(`\n| ${SERVICE_ROUNDS} rounds each, % | found | interval | wanted |\n|---|--:|--:|--:|`)
  for (const world of SERVICE_WORLDS) {
    const [name, , bounds] = world
    const count = await countRounds(world, createChance(7), SERVICE_ROUNDS)
    const found = percent(count, SERVICE_ROUNDS)
    check(name, found, bounds, SERVICE_ROUNDS)
    console.log(`| ${name} | ${found.toFixed(1)} | ${intervalOf(count, SERVICE_ROUNDS)} | ${describeBound(bounds)} |`)
  }
}

function describeBound([atLeast, atMost]: Bounds): string {
  return atLeast > 0 ? `≥ ${atLeast}` : atMost < 100 ? `≤ ${atMost}` : ''
}

/** Wilson's interval of 95 %. */
function intervalOf(count: number, of: number): string {
  const z = 1.96 ** 2
  const middle = (count + z / 2) / (of + z)
  const reach = Math.sqrt((count * (of - count) * z) / of + z ** 2 / 4) / (of + z)
  return `${percent(Math.max(0, middle - reach), 1).toFixed(1)} to ${percent(middle + reach, 1).toFixed(1)}`
}

/** The files in two halves: constants were chosen by the first, and the second had no say. */
function printReal(path: string): void {
  const files = readSeriesIn(path)
  console.log('\n| real series, nothing changed, % | moments | called worse | worst file | ×2 found |')
  console.log('|---|--:|--:|--:|--:|')
  for (const [at, half] of ['chosen by', 'not looked at'].entries()) {
    const own = files.filter((_, index) => index % 2 === at)
    for (const group of new Set(own.map((file) => file.group)))
      printGroup(
        `${group} (${half})`,
        own.filter((file) => file.group === group),
      )
  }
}

function printGroup(name: string, files: readonly RealSeries[]): void {
  const results = files.map((file) => ({ file, ...judgeFile(file) }))
  const sum = (read: (one: (typeof results)[number]) => number) => results.reduce((total, one) => total + read(one), 0)
  const moments = sum((one) => one.moments)
  const worse = percent(
    sum((one) => one.worse),
    moments,
  )
  const worst = results.toSorted((a, b) => b.worse / b.moments - a.worse / a.moments)[0]
  const share = worst ? percent(worst.worse, worst.moments) : 0
  const doubled = percent(
    sum((one) => one.doubled),
    moments,
  )
  check(name, worse, [0, REAL_AT_MOST.group], moments)
  check(worst?.file.file ?? name, share, [0, REAL_AT_MOST.file], worst?.moments ?? 1)
  console.log(
    `| ${name} | ${moments} | ${worse.toFixed(1)} | ${share.toFixed(0)} ${worst?.file.file ?? ''} | ${doubled.toFixed(0)} |`,
  )
}

function judgeFile(file: RealSeries): { moments: number; worse: number; doubled: number } {
  const count = (times: number) =>
    drawMoments(createChance(11), file, MOMENTS, times).map((series) => verdictOf(series, 'higher-is-worse'))
  const isWorse = (verdict: Verdict) => verdict === 'worse'
  const usual = count(1)
  return { moments: usual.length, worse: usual.filter(isWorse).length, doubled: count(2).filter(isWorse).length }
}

function verdictOf(series: Series, direction: 'higher-is-worse' | 'lower-is-worse', share = 1): Verdict {
  return judge([{ ...series, direction, bucketMs: BUCKET_MS }], withShare(JUDGE_DEFAULTS, share))[0]?.verdict ?? 'inconclusive'
}

/** A bound is missed where chance, three standard deviations of the rounds, does not explain it. */
function check(name: string, found: number, [atLeast, atMost]: Bounds, rounds: number): void {
  const bound = found > atMost ? atMost : atLeast
  const chance = 3 * Math.sqrt((bound * (100 - bound)) / rounds)
  if (found > atMost + chance || found < atLeast - chance) missed.push(`${name}: ${found.toFixed(1)} %`)
}

function percent(count: number, of: number): number {
  return of === 0 ? 0 : (100 * count) / of
}
