/**
 * How often a verdict is wrong: worlds in which nothing happens, worlds in which something does, and random moments of real series, each
 * alone, and worlds as the service judges them. Prints the tables of docs/compare.md; exits 1 where a bound is missed by more than the
 * chance of the rounds.
 *
 *   npm run bench -- verdicts [FOLDER]         ROUNDS=200 for fewer rounds; FOLDER has real series (bench/verdicts/real-series.ts says how)
 *   npm run bench -- verdicts --export FOLDER  writes the public benchmark (bench/verdicts/public/README.md); with ROUNDS=100 it judges so
 *                                              many cases of each world for the results, without it the results are those of the README
 */
import { type Chance, createChance } from '../packages/compare/__tests__/support/random.ts'
import { exportBenchmark } from './verdicts/export.ts'
import { drawMoments, type RealSeries, readSeriesIn } from './verdicts/real-series.ts'
import { intervalOf, percent } from './verdicts/scoring.ts'
import { countRounds, SERVICE_WORLDS } from './verdicts/service-worlds.ts'
import { countWorse, isWorse, reachOf, WORLDS } from './verdicts/worlds.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 1_000)
/** Each round draws and judges the events of three days. */
const SERVICE_ROUNDS = Math.max(40, Math.round(ROUNDS / 4))
type Bounds = readonly [atLeast: number, atMost: number]
const MOMENTS = Math.max(40, Math.round(ROUNDS / 5))
/** Of a group of real series, and of a single file. */
const REAL_AT_MOST = { group: 6, file: 10 }
const missed: string[] = []
const [, , folder, exported] = process.argv
// Four cases of each world have less than 15 MB in all.
if (folder === '--export') await exportBenchmark(exported ?? 'verdicts', 4, Number(process.env.ROUNDS ?? 0))
else await printAll()
for (const line of missed) console.error(`missed: ${line}`)
process.exitCode = missed.length > 0 ? 1 : 0

async function printAll(): Promise<void> {
  console.log(`${new Date().toISOString().slice(0, 10)}, intervals of 95 %`)
  await printWorlds('called worse', ROUNDS, WORLDS, countWorse)
  // As the service judges: five series, two other days, its looks at 5 and 10 minutes and their shares of the error rate.
  await printWorlds('found', SERVICE_ROUNDS, SERVICE_WORLDS, countRounds)
  if (folder === undefined) console.log('\nReal series are left out: name a folder that has them.')
  else printReal(folder)
}

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

/** Constants were chosen by the first half of the files, and the second had no say. */
const HALVES = ['chosen by', 'not looked at']
/** What the values after a moment are multiplied with. */
const TIMES = [1, 1.3, 2]

function printReal(path: string): void {
  console.log('\n| real series, nothing changed, % | moments | called worse | worst file | +30 % found | ×2 found |')
  console.log('|---|--:|--:|--:|--:|--:|')
  const files = readSeriesIn(path).map(judgeFile)
  for (const [group, of] of Map.groupBy(files, (file) => file.group)) printGroup(group, of)
  printGroup('all', files)
}

function judgeFile(series: RealSeries, index: number) {
  const verdicts = TIMES.map((times) => drawMoments(createChance(11), series, MOMENTS, times).map((one) => isWorse(one)))
  const worse = verdicts.map((all) => all.filter(Boolean).length)
  return { file: series.file, group: `${series.group} (${HALVES[index % 2]})`, of: verdicts[0]?.length ?? 0, worse }
}

function printGroup(name: string, files: readonly ReturnType<typeof judgeFile>[]): void {
  const sum = (all: typeof files, at: number) => all.reduce((total, { worse }) => total + (worse[at] ?? 0), 0)
  const moments = files.reduce((total, { of }) => total + of, 0)
  const [found = 0, ...changed] = TIMES.map((_, at) => percent(sum(files, at), moments))
  const [[share, worst] = [0, name]] = files
    .map((file) => [percent(sum([file], 0), file.of), file.file] as const)
    .sort(([a], [b]) => b - a)
  check(name, found, [0, REAL_AT_MOST.group], moments)
  check(worst, share, [0, REAL_AT_MOST.file], moments / files.length)
  const cells = [name, moments, found.toFixed(1), `${share.toFixed(0)} ${worst}`, ...changed.map((one) => one.toFixed(0))]
  console.log(`| ${cells.join(' | ')} |`)
}

function check(name: string, found: number, [atLeast, atMost]: Bounds, rounds: number): void {
  const bound = found > atMost ? atMost : atLeast
  const reach = reachOf(bound, rounds)
  if (found > atMost + reach || found < atLeast - reach) missed.push(`${name}: ${found.toFixed(1)} %`)
}
