/**
 * How much of a corpus the language takes: `npm run apl:corpus -- FILE`. FILE is a JSON array of `{"apl"}`. Prints how many texts are
 * queries, parse, compile, and run over sample data on the engine, with the reasons why not, by count.
 */
import { readFileSync } from 'node:fs'
import { compile } from '../../src/compile.ts'
import { QueryError } from '../../src/error.ts'
import { parseQuery } from '../../src/parser.ts'
import { Engine } from '../support/engine.ts'
import { whyNoQuery } from './query-text.ts'
import { loadSample, NOW_NS } from './sample.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('usage: npm run apl:corpus -- FILE\n')
  process.exit(2)
}

type Stage = 'no query' | 'does not parse' | 'does not compile' | 'does not run'

/** The stage that a text fails at, and why; `undefined` if it runs. */
async function failureOf(text: string, engine: Engine): Promise<readonly [Stage, string] | undefined> {
  const reason = whyNoQuery(text)
  if (reason !== undefined) return ['no query', reason]
  let stage: Stage = 'does not parse'
  try {
    const query = parseQuery(text)
    stage = 'does not compile'
    const datasets = await loadSample(query, engine)
    const plan = compile(text, { datasets, range: { startNs: NOW_NS - 86_400_000_000_000n, endNs: NOW_NS }, nowNs: NOW_NS })
    stage = 'does not run'
    engine.query(plan)
    return undefined
  } catch (error) {
    if (error instanceof QueryError || error instanceof Error) return [stage, error.message.split('\n')[0]?.slice(0, 110) ?? '']
    throw error
  }
}

const texts = (JSON.parse(readFileSync(file, 'utf8')) as readonly { apl: string }[]).map(({ apl }) => apl)
const engine = new Engine()
const failures: (readonly [Stage, string])[] = []
for (const text of texts) {
  const failure = await failureOf(text, engine)
  if (failure) failures.push(failure)
}
await engine.close()

const print = (line: string) => process.stdout.write(`${line}\n`)
const counts = new Map<string, number>()
for (const [stage, reason] of failures) {
  const key = `${stage}: ${reason}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
for (const [reason, count] of [...counts].sort(([, a], [, b]) => b - a)) print(`${String(count).padStart(5)}  ${reason}`)
print('')
let left = texts.length
print(`${String(left).padStart(5)}  texts`)
const queries = texts.length - failures.filter(([stage]) => stage === 'no query').length
for (const [stage, word] of [
  ['no query', 'are queries'],
  ['does not parse', 'parse'],
  ['does not compile', 'compile'],
  ['does not run', 'run over sample data'],
] as const) {
  left -= failures.filter(([failed]) => failed === stage).length
  print(`${String(left).padStart(5)}  ${word} (${((100 * left) / queries).toFixed(1)} %)`)
}
