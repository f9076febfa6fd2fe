/** `node generate.mjs [--world NAME] [--rounds 1] [--seed 1]`: prints cases, a JSON line each; the same for the same seed. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { drawCases, PUBLIC_WORLDS } from './public-worlds.ts'

const text = (usual: string) => ({ type: 'string', default: usual }) as const
const { values } = parseArgs({ options: { world: { type: 'string' }, rounds: text('1'), seed: text('1') } })

function* lines(): Generator<string> {
  for (const world of values.world === undefined ? Object.keys(PUBLIC_WORLDS) : [values.world])
    for (const one of drawCases(world, Number(values.seed), Number(values.rounds))) yield `${JSON.stringify(one)}\n`
}

await pipeline(Readable.from(lines()), process.stdout)
