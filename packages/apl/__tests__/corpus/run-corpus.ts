/**
 * How much of a corpus the language takes: `node packages/apl/__tests__/corpus/run-corpus.ts -- FILE [--failing]`. FILE is a JSON array of `{"apl"}`. Prints how many
 * texts are queries, parse, compile, and run over sample data on the engine, with the reasons why not, by count; with `--failing`
 * the texts themselves too.
 */
import { readFileSync } from 'node:fs'
import { compile } from '../../src/compile.ts'
import { QueryError } from '../../src/error.ts'
import { parseQuery } from '../../src/query/parser.ts'
import { Engine } from '../support/engine.ts'
import { queriesIn } from './query-text.ts'
import { loadSample, NOW_NS } from './sample.ts'

const [file, option] = process.argv.slice(2)
if (file === undefined || (option !== undefined && option !== '--failing')) {
  process.stderr.write('usage: node packages/apl/__tests__/corpus/run-corpus.ts -- FILE [--failing]\n')
  process.exit(2)
}

const STAGES = ['no query', 'does not parse', 'does not compile', 'does not run'] as const
type Failure = readonly [stage: (typeof STAGES)[number], reason: string]

/** The stage that a query fails at, and why; `undefined` if it runs. */
async function failureOf(query: string, engine: Engine): Promise<Failure | undefined> {
  let stage: Failure[0] = 'does not parse'
  try {
    const tree = parseQuery(query)
    stage = 'does not compile'
    const datasets = await loadSample(tree, engine)
    const range = { startNs: NOW_NS - 86_400_000_000_000n, endNs: NOW_NS }
    const plan = compile(query, { datasets, range, nowNs: NOW_NS })
    stage = 'does not run'
    engine.query(plan)
    return undefined
  } catch (error) {
    if (error instanceof QueryError || error instanceof Error) return [stage, error.message.split('\n')[0]?.slice(0, 110) ?? '']
    throw error
  }
}

/** Of a text of several queries the one that fails first. */
async function firstFailure(text: string, engine: Engine): Promise<Failure | undefined> {
  const found = queriesIn(text)
  if ('reason' in found) return ['no query', found.reason]
  const failures: Failure[] = []
  for (const query of found.queries) {
    const failure = await failureOf(query, engine)
    if (failure) failures.push(failure)
  }
  return failures.sort(([a], [b]) => STAGES.indexOf(a) - STAGES.indexOf(b))[0]
}

const print = (line: string) => process.stdout.write(`${line}\n`)
const texts = (JSON.parse(readFileSync(file, 'utf8')) as readonly { apl: string }[]).map(({ apl }) => apl)
const engine = new Engine()
const failures: Failure[] = []
for (const text of texts) {
  const failure = await firstFailure(text, engine)
  if (failure) failures.push(failure)
  if (failure && option === '--failing') print(`--- ${failure.join(': ')}\n${text.trim()}\n`)
}
await engine.close()

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
