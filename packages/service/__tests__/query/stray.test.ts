/**
 * One event whose fields are of another type changes no answer about the others, asked of a real service that keeps no columns and indexes
 * beside the events. The questions and the events are those of the language's own test. Each kind of event meets a tenth of the questions;
 * with `npm run test:with -- long` all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { isLong } from '../../../../__tests__/support/long.ts'
import { EVENTS, eventsWith, OTHER, printAnswer, START, STRAYS } from '../../../apl/__tests__/stray/events.ts'
import { QUERIES } from '../../../apl/__tests__/stray/questions.ts'
import type { StoredEvent } from '../../../apl/__tests__/support/engine.ts'
import { apl, ingest, rowsOf } from './ask.ts'

const AT_ONCE = 4
const KINDS = Object.keys(STRAYS)
const timeOf = (ns: bigint) => new Date(Number(ns / 1_000_000n)).toISOString()
const RANGE = { startTime: timeOf(START), endTime: timeOf(START + 1_000n * 3_600_000_000_000n) }

const service = serviceForTests({ args: ['--indexes', 'off'] })
beforeAll(async () => {
  await load('data', EVENTS)
  await load('other', OTHER)
})

/** The first events alone, so that the others are stored apart from them. */
async function load(dataset: string, events: readonly StoredEvent[]): Promise<void> {
  const lines = events.map(({ timeNs, data }) => JSON.stringify({ _time: timeOf(timeNs), ...data }))
  for (const some of [lines.slice(0, 5), lines.slice(5)]) if (some.length > 0) await ingest(service, dataset, some.join('\n'))
}

/** An error is an answer too. */
async function answer(query: string, dataset: string): Promise<unknown> {
  const text = query.replaceAll('$', (found, at: number) => (query[at + 1] === ' ' ? `['${dataset}'] | where id < 100` : found))
  const ask = () => apl(service, text, RANGE, 'tabular')
  let { status, body } = await ask()
  // A machine that is busy with something else is waited for, as the answer says.
  for (let tries = 0; status === 503 && tries < 10; tries++) {
    await sleep(1_000)
    ;({ status, body } = await ask())
  }
  return status === 200 ? printAnswer(query, rowsOf(body)) : `${status} ${body.message}`
}

let loaded = 0
test.each(KINDS)('one event with a stray %s changes no answer of a service about the others', async (kind) => {
  // Another one where a test is tried again.
  const dataset = `data-${loaded++}`
  await load(dataset, eventsWith(kind))
  const asked = QUERIES.filter((query) => isLong || QUERIES.indexOf(query) % KINDS.length === KINDS.indexOf(kind))
  for (let at = 0; at < asked.length; at += AT_ONCE)
    await Promise.all(
      asked.slice(at, at + AT_ONCE).map(async (query) => {
        const [before, after] = [await answer(query, 'data'), await answer(query, dataset)]
        expect(before).toBeInstanceOf(Array)
        expect({ query, rows: after }).toEqual({ query, rows: before })
      }),
    )
})
