/**
 * `node bench/query-shapes.ts [words]`: the statement that each shape of query becomes, against SQL written by hand, over 5 million
 * events; with words only the shapes whose names have one. Prints a table for docs/query.md, and exits 1 where a target is
 * missed or two answers differ. A target is missed if neither the time that passed nor the time of all processors meets it: on a
 * machine with other work to do the first differs by a third between two equal statements.
 *
 *   ROWS=1000000 for a smaller one, DIRECTORY=… for another disk, DATA=… to keep the data there and use it again
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEvents } from './query-data.ts'
import { isSame, median, openReading, type Reading, rowsOf, sampleInTurn } from './reading.ts'
import type { Shape } from './shapes/shape.ts'
import { SHAPES } from './shapes/shapes.ts'

process.env.UV_THREADPOOL_SIZE ??= '16'

const ROWS = Number(process.env.ROWS ?? 5_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 7)
const TARGET = 1.3
const words = process.argv.slice(2)
const shapes = SHAPES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))

const kept = process.env.DATA
const dataDir = kept ?? mkdtempSync(join(process.env.DIRECTORY ?? tmpdir(), 'bench-shapes-'))
try {
  if (!existsSync(join(dataDir, 'engine'))) await loadEvents(dataDir, ROWS)
  await measure()
} finally {
  if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const lines: string[] = []
  await using reading = await openReading(dataDir)
  for (const shape of shapes) {
    const { ours, byHand, ratio, cpuRatio } = await timesOf(shape, reading)
    const isEqual = await answersTheSame(shape, reading)
    const isMet = Math.min(ratio, cpuRatio) <= TARGET && isEqual
    if (!isMet) process.exitCode = 1
    const figure = `${ms(ours)}, ${ms(byHand)} (${ratio.toFixed(2)} ×; processor time ${cpuRatio.toFixed(2)} ×)`
    console.log(
      `${isMet ? 'ok  ' : 'MISS'} ${shape.name}: ${figure}${isEqual ? '' : ', and the answers differ'} (target ${TARGET} ×)`,
    )
    lines.push(`| ${shape.name} | ${ms(ours)} | ${ms(byHand)} | ${ratio.toFixed(2)} × | ${cpuRatio.toFixed(2)} × |`)
  }
  console.log(
    ['', '| shape | our statement | by hand | ratio | ratio of processor time |', '|---|---|---|---|---|', ...lines].join('\n'),
  )
}

/** Medians. Where the target is missed, as many rounds again are added: other work on the machine may have met one side only. */
async function timesOf({ apl, sql }: Shape, reading: Reading) {
  const tasks = [(round: number) => reading.ours(apl(2 * round)), (round: number) => reading.byHand(sql(2 * round + 1))]
  const samples = await sampleInTurn(ROUNDS, tasks)
  const medians = (of: 'ms' | 'cpuMs') => samples.map((some) => median(some.map((one) => one[of]))) as [number, number]
  const ratio = (of: 'ms' | 'cpuMs') => medians(of)[0] / medians(of)[1]
  if (Math.min(ratio('ms'), ratio('cpuMs')) > TARGET)
    for (const [at, more] of (await sampleInTurn(ROUNDS, tasks)).entries()) samples[at]?.push(...more)
  const [ours, byHand] = medians('ms')
  return { ours, byHand, ratio: ratio('ms'), cpuRatio: ratio('cpuMs') }
}

async function answersTheSame({ apl, sql, tolerance }: Shape, reading: Reading): Promise<boolean> {
  const ours = rowsOf(await reading.ours(apl(1)), reading.planOf(apl(1)))
  return isSame(ours, rowsOf(await reading.byHand(sql(1))), tolerance)
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
}
