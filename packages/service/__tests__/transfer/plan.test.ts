/** What an export is going to take along, measured over a real engine and real records. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { openTestRecords } from '../../../../__tests__/support/records.ts'
import { openEmbeddedEngine } from '../../../event-store/src/embedded/embedded-engine.ts'
import { openEventStore } from '../../../event-store/src/event-store.ts'
import { createEventChunks, type EventChunks } from '../../../event-store/src/tables/event-chunks.ts'
import { MEASUREMENTS } from '../../../runtime/src/concurrency/bounds.ts'
import { createLocalSource } from '../../src/transfer/source.ts'

/** @param names of datasets that are empty */
async function openPlaces(names: readonly string[]) {
  const stack = new AsyncDisposableStack()
  const { records } = stack.use(await openTestRecords())
  const directory = mkdtempSync(join(tmpdir(), 'plan-'))
  stack.defer(() => rmSync(directory, { recursive: true }))
  const engine = openEmbeddedEngine(join(directory, 'engine'))
  stack.defer(() => engine.close())
  const events = await openEventStore(engine, records, { fieldsMax: 256, isAlone: true })
  stack.defer(() => events.close())
  for (const name of names) await events.datasets.create({ name, description: '', retentionDays: 0, createdBy: '' })
  const chunks = createEventChunks(engine)
  return {
    events,
    planWith: (measure: (over: EventChunks, table: string) => ReturnType<EventChunks['measure']>) =>
      createLocalSource({
        records,
        chunks: { ...chunks, measure: (table) => measure(chunks, table) },
        settle: () => events.settle(),
        program: 'test',
        isStopped: true,
      }).plan(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('tables are measured some at a time, and listed by the names of their datasets', async () => {
  const names = Array.from({ length: 10 }, (_, n) => `d${n}`)
  await using places = await openPlaces(names.toReversed())
  let [begun, underWay, most] = [0, 0, 0]
  const { tables } = await places.planWith(async (chunks, table) => {
    most = Math.max(most, ++underWay)
    // Those that come later are through sooner.
    await sleep(100 - 10 * begun++)
    return chunks.measure(table).finally(() => underWay--)
  })
  expect(tables.map(({ dataset }) => dataset)).toEqual(names)
  expect(most).toBe(MEASUREMENTS.slots)
})

test('a dataset that is deleted meanwhile is left out, and a table that is missing without that is told', async () => {
  await using places = await openPlaces(['gone', 'kept'])
  const { table } = places.events.datasets.get('gone')
  const { tables } = await places.planWith(async (chunks, one) => {
    if (one === table) await places.events.datasets.remove('gone')
    return chunks.measure(one)
  })
  expect(tables.map(({ dataset }) => dataset)).toEqual(['kept'])
  await expect(places.planWith((chunks) => chunks.measure('events_nothing000'))).rejects.toThrow(
    'the events of the dataset kept are missing, so they cannot be exported',
  )
})
