/** `node score.mjs CASES ANSWERS`: compares the answers of a judge, a JSON line `{"id", "verdict"}` each, with the truth of the cases. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Case } from './public-worlds.ts'
import { addScore, type Scores, tableOf } from './scoring.ts'

async function* readLines<T>(file: string): AsyncGenerator<T> {
  const bytes = createReadStream(file)
  for await (const line of createInterface({ input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes }))
    if (line.trim() !== '') yield JSON.parse(line) as T
}

const [, , cases, answers] = process.argv
if (cases === undefined || answers === undefined) throw new Error('node score.mjs CASES ANSWERS')
const verdicts = new Map<string, string>()
for await (const { id, verdict } of readLines<{ id: string; verdict: string }>(answers)) verdicts.set(id, verdict)
const scores: Scores = {}
let missing = 0
for await (const one of readLines<Case>(cases)) {
  const verdict = verdicts.get(one.id)
  missing += Number(verdict === undefined)
  addScore(scores, one, verdict === 'worse')
}
console.log(tableOf({ [answers]: scores }))
if (missing > 0) console.log(`\n${missing} cases have no answer, which counts as not worse.`)
