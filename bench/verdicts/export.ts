/** Writes the public benchmark: cases, what draws more of them, what scores answers, and the results of this judge and of others. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { drawCases, PUBLIC_WORLDS } from './public-worlds.ts'
import { RIVALS } from './rivals.ts'
import { addScore, type Scores, tableOf } from './scoring.ts'
import { isCaseWorse } from './service-worlds.ts'

const HERE = import.meta.dirname
const SEED = 47
/** The results in README.md. */
const RESULTS = /\S+, seed \d+, [\s\S]*?(?=\n\n## )/

/** @param cases of each world in the file @param rounds of each world in the results; 0 leaves those that README.md has */
export async function exportBenchmark(folder: string, cases: number, rounds: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: ['generate', 'score'].map((name) => join(HERE, `${name}.ts`)),
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', outdir: folder, outExtension: { '.js': '.mjs' } },
  })
  const judges = { 'this judge': isCaseWorse, ...RIVALS }
  const results: Record<string, Scores> = Object.fromEntries(Object.keys(judges).map((name) => [name, {}]))
  const lines: string[] = []
  for (const world of Object.keys(PUBLIC_WORLDS)) {
    let drawn = 0
    for (const one of drawCases(world, SEED, Math.max(cases, rounds))) {
      if (drawn++ < cases) lines.push(`${JSON.stringify(one)}\n`)
      if (drawn <= rounds)
        for (const [name, isWorse] of Object.entries(judges)) addScore(results[name] ?? {}, one, await isWorse(one))
    }
  }
  writeFileSync(join(folder, 'cases.jsonl.gz'), gzipSync(lines.join(''), { level: 9 }))
  const table = `${new Date().toISOString().slice(0, 10)}, seed ${SEED}, ${rounds} cases of each world:\n\n${tableOf(results)}`
  const about = readFileSync(join(HERE, 'public/README.md'), 'utf8')
  writeFileSync(join(folder, 'README.md'), rounds > 0 ? about.replace(RESULTS, table) : about)
  copyFileSync(join(HERE, '../../LICENSE'), join(folder, 'LICENSE'))
}
