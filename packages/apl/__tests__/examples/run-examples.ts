/**
 * The documentation's examples against the engine: `npm run apl:examples -- FILE`. FILE is a JSON array of
 * `{"page", "apl", "columns", "rows"}`, the cells as they are printed. Prints how many agree, how many differ for which reason, and
 * each difference. Fails where a difference has no reason, which docs/compatibility.md explains.
 */
import { readFileSync } from 'node:fs'
import { Engine } from '../support/engine.ts'
import { type Example, tryExample, type Verdict } from './example.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('usage: npm run apl:examples -- FILE\n')
  process.exit(2)
}

const examples = JSON.parse(readFileSync(file, 'utf8')) as readonly Example[]
const engine = new Engine()
const verdicts: { example: Example; verdict: Verdict }[] = []
for (const example of examples) verdicts.push({ example, verdict: await tryExample(example, engine) })
await engine.close()

const UNDECIDED = 'nobody has decided'
const print = (line: string) => process.stdout.write(`${line}\n`)
const counts = new Map<string, number>()
for (const { verdict } of verdicts) {
  const kind = verdict.agrees ? `agrees: ${verdict.reason}` : `differs: ${verdict.decided ?? UNDECIDED}`
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}
for (const { example, verdict } of verdicts)
  if (!verdict.agrees) print(`${example.page}: ${verdict.decided ?? UNDECIDED}: ${verdict.reason}: ${verdict.detail}`)
print('')
for (const [kind, count] of [...counts].sort()) print(`${String(count).padStart(5)}  ${kind}`)
print(`${String(verdicts.filter(({ verdict }) => verdict.agrees).length).padStart(5)}  of ${verdicts.length} agree`)
if (verdicts.some(({ verdict }) => !verdict.agrees && !verdict.decided)) process.exitCode = 1
