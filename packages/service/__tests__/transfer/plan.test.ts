/** What an export is going to take along, measured over a real engine and real records. */
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { openTestRecords } from '../../../../__tests__/support/records.ts'
import { openStore } from '../../../event-store/src/open-store.ts'
import type { EventChunks } from '../../../event-store/src/tables/event-chunks.ts'
import { RECORDS_VERSION } from '../../../records/src/migrations/migrations.ts'
import { MEASUREMENTS } from '../../../runtime/src/concurrency/bounds.ts'
import { ExportDirectory } from '../../src/transfer/directory.ts'
import { runExport } from '../../src/transfer/export.ts'
import { Progress } from '../../src/transfer/progress.ts'
import { createLocalSource } from '../../src/transfer/source.ts'

const parent = folderForTests('transfer')

/** @param names of datasets that are empty */
async function openPlaces(names: readonly string[]) {
  const stack = new AsyncDisposableStack()
  const { records } = stack.use(await openTestRecords())
  const directory = join(mkdtempSync(join(parent, 'place-')), 'engine')
  const events = await openStore({ directory }, records, { fieldsMax: 256 })
  stack.defer(() => events.close())
  for (const name of names) await events.datasets.create({ name, description: '', retentionDays: 0, createdBy: '' })
  const { chunks } = events
  const sourceWith = (measure: (over: EventChunks, table: string) => ReturnType<EventChunks['measure']>) =>
    createLocalSource({
      records,
      chunks: { ...chunks, measure: (table) => measure(chunks, table) },
      settle: () => events.settle(),
      program: 'test',
      isStopped: true,
    })
  return {
    events,
    source: sourceWith((over, table) => over.measure(table)),
    planWith: (...measure: Parameters<typeof sourceWith>) => sourceWith(...measure).plan(),
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

test('records that a service of another version gave meanwhile are not taken for those of the version at the beginning', async () => {
  await using places = await openPlaces([])
  const { source } = places
  const directory = new ExportDirectory(join(parent, 'updated'))
  const parts = { directory, progress: new Progress(), signal: new AbortController().signal }
  const before = { ...(await source.plan()), recordsVersion: '0013-no-row-digests' }
  const plan = async () => (existsSync(directory.recordsFile('leases')) ? await source.plan() : before)
  await expect(runExport({ ...parts, source: { ...source, plan } })).rejects.toThrow(
    'the service was updated while it was exported',
  )
  expect((await runExport({ ...parts, source })).at).toBe(directory.readManifest()?.finished?.at)
  expect(directory.readManifest()?.plan.recordsVersion).toBe(RECORDS_VERSION)
})
