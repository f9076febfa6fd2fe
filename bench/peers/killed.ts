/**
 * What an answer to an insert means, by trying: a store is killed (SIGKILL) right after the last of up to 100 answers, opened again, and asked
 * how many events it has. A store that runs inside of its program does so in a process of its own here, which is this file. A kill says
 * nothing of a power cut.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { makeBodies } from './events.ts'
import { constantsOf, QUESTIONS } from './questions.ts'
import { OPENERS } from './stores.ts'
import type { System } from './system.ts'

export const KILLED_EVENTS = Math.min(100_000, Number(process.env.EVENTS ?? 1_000_000) / 10)
const ANSWERED = 'all answered'
/** Stores inside of their program. */
const INSIDE = new Set(['chdb'])

/** @param path a folder that is not there. @returns how many events are left; `undefined` where the store is not installed */
export async function countSurvivors(key: string, path: string): Promise<number | undefined> {
  if (INSIDE.has(key)) await insertAndDie(key, path)
  await using system = await OPENERS[key]?.(path)
  if (!system) return undefined
  if (!INSIDE.has(key)) {
    await insertAll(system)
    await system.crash?.()
  }
  const ask = await system.prepare(COUNT, constantsOf(0, KILLED_EVENTS))
  const [row] = await ask()
  return Number(row?.n ?? 0)
}

const COUNT = QUESTIONS[0] as (typeof QUESTIONS)[number]

/** @returns milliseconds of each request */
export async function insertAll({ writers, insert }: System, bodies = makeBodies(KILLED_EVENTS)): Promise<number[]> {
  let next = 0
  const times: number[] = []
  const write = async (_: unknown, writer: number) => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      const from = performance.now()
      await insert(body, writer)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return times
}

async function insertAndDie(key: string, path: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), key, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
    if (told.includes(ANSWERED)) child.kill('SIGKILL')
  })
  await closed
  if (!told.includes(ANSWERED)) throw new Error(`${key} ended before all events were inserted`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [key = '', path = ''] = process.argv.slice(2)
  const system = await OPENERS[key]?.(path)
  if (!system) throw new Error(`there is no store ${JSON.stringify(key)}`)
  await insertAll(system)
  process.stdout.write(`${ANSWERED}\n`)
  // It is killed now; nothing is closed before that.
  setInterval(() => undefined, 1_000)
}
