/**
 * How often a verdict is wrong: worlds in which nothing happens, worlds in which something does, and random moments of real series, each
 * alone, and worlds as the service judges them. Prints the tables of docs/compare.md; exits 1 where a bound is missed by more than the
 * chance of the rounds.
 *
 *   npm run bench -- verdicts [FOLDER]     ROUNDS=200 for fewer rounds; FOLDER has real series (bench/verdicts/real-series.ts says how)
 */
import { type Chance, createChance } from '../packages/compare/__tests__/support/random.ts'
import { drawMoments, type RealSeries, readSeriesIn } from './verdicts/real-series.ts'
import { countRounds, SERVICE_WORLDS } from './verdicts/service-worlds.ts'
import { countWorse, isWorse, reachOf, WORLDS } from './verdicts/worlds.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 1_000)
/** Each round draws and judges the events of three days. */
const SERVICE_ROUNDS = Math.max(40, Math.round(ROUNDS / 4))
type Bounds = readonly [atLeast: number, atMost: number]
const MOMENTS = Math.max(40, Math.round(ROUNDS / 5))
/** Of a group of real series, and of a single file. */
const REAL_AT_MOST = { group: 6, file: 10 }
const [, , folder] = process.argv
const missed: string[] = []

await printWorlds('called worse', ROUNDS, WORLDS, countWorse)
// As the service judges: five series, two other days, its looks at 5 and 10 minutes and their shares of the error rate.
await printWorlds('found', SERVICE_ROUNDS, SERVICE_WORLDS, countRounds)
if (folder === undefined) console.log('\nReal series are left out: name a folder that has them.')
else printReal(folder)
for (const line of missed) console.error(`missed: ${line}`)
process.exitCode = missed.length > 0 ? 1 : 0

type Drawn = readonly [name: string, drawn: unknown, bounds: Bounds, ...unknown[]]
type Count<W> = (world: W, chance: Chance, rounds: number) => number | Promise<number>

async function printWorlds<W extends Drawn>(what: string, rounds: number, worlds: readonly W[], countOf: Count<W>) {
  console.log(`\n| ${rounds} rounds each, % | ${what} | interval | wanted |\n|---|--:|--:|--:|`)
  for (const world of worlds) {
    const [name, , bounds] = world
    const count = await countOf(world, createChance(7), rounds)
    const found = percent(count, rounds)
    check(name, found, bounds, rounds)
    console.log(`| ${name} | ${found.toFixed(1)} | ${intervalOf(count, rounds)} | ${describeBound(bounds)} |`)
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
    for (const [group, of] of Map.groupBy(own, (file) => file.group)) printGroup(`${group} (${half})`, of)
  }
}

function printGroup(name: string, files: readonly RealSeries[]): void {
  const results = files.map((file) => ({ file: file.file, ...judgeFile(file) }))
  const sum = (of: 'moments' | 'worse' | 'doubled') => results.reduce((total, one) => total + one[of], 0)
  const moments = sum('moments')
  const [worse, doubled] = [percent(sum('worse'), moments), percent(sum('doubled'), moments)]
  const [worst] = results.toSorted((a, b) => b.worse / b.moments - a.worse / a.moments)
  const share = worst ? percent(worst.worse, worst.moments) : 0
  check(name, worse, [0, REAL_AT_MOST.group], moments)
  check(worst?.file ?? name, share, [0, REAL_AT_MOST.file], worst?.moments ?? 1)
  const cells = [name, moments, worse.toFixed(1), `${share.toFixed(0)} ${worst?.file ?? ''}`, doubled.toFixed(0)]
  console.log(`| ${cells.join(' | ')} |`)
}

function judgeFile(file: RealSeries): { moments: number; worse: number; doubled: number } {
  const [usual, doubled] = [1, 2].map((times) =>
    drawMoments(createChance(11), file, MOMENTS, times).map((series) => isWorse(series)),
  ) as [boolean[], boolean[]]
  return { moments: usual.length, worse: usual.filter(Boolean).length, doubled: doubled.filter(Boolean).length }
}

function check(name: string, found: number, [atLeast, atMost]: Bounds, rounds: number): void {
  const bound = found > atMost ? atMost : atLeast
  const reach = reachOf(bound, rounds)
  if (found > atMost + reach || found < atLeast - reach) missed.push(`${name}: ${found.toFixed(1)} %`)
}

function percent(count: number, of: number): number {
  return of === 0 ? 0 : (100 * count) / of
}
