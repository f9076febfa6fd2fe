import { expect, test } from '@jest/globals'
import { NEW_SETTINGS } from '../../records/src/datasets/dataset-records.ts'
import { Tasks, turn } from '../../runtime/__tests__/concurrency/tasks.ts'
import { type Dataset, UnsavedFields } from '../src/datasets/dataset.ts'
import { FieldTree } from '../src/fields/field-tree.ts'
import { ByteWriter } from '../src/native/byte-writer.ts'
import type { Rows } from '../src/native/event-block.ts'
import type { EventTables } from '../src/tables/event-tables.ts'
import { EventWriter } from '../src/write/event-writer.ts'

function rowsOf(text: string): Rows {
  const block = new ByteWriter()
  const line = Buffer.from(`${text}\n`)
  block.copy(line, 0, line.length)
  return { blocks: [block], bytes: block.length, count: 1 }
}

function datasetOf(name: string): Dataset {
  const kept = { name, table: `events_${name}`, description: '', createdAtMs: 0, updatedAtMs: 0, createdBy: '', retentionDays: 0 }
  return { ...NEW_SETTINGS, ...kept, fields: new FieldTree(10), unsaved: new UnsavedFields(), layouts: new Map(), state: 'live' }
}

/** A writer, and its inserts as `table: rows` with the token behind them; each lasts until it is ended. */
function createWriter() {
  const tasks = new Tasks()
  const tables: Partial<EventTables> = {
    async insert(table, blocks, options) {
      const token = options?.token === undefined ? '' : ` (${options.token})`
      await tasks.task(`${table}: ${Buffer.concat(blocks).toString().trim().split('\n').join(' ')}${token}`)()
    },
  }
  const parts = { tables: tables as EventTables, saveFields: async () => undefined }
  return { tasks, writer: new EventWriter(parts) }
}

test('several datasets are written at a time, each by one insert at a time', async () => {
  const { tasks, writer } = createWriter()
  const datasets = ['a', 'b', 'c', 'd', 'e'].map(datasetOf)
  const all = datasets.flatMap((dataset) => [1, 2, 3].map((n) => writer.write({ dataset, rows: rowsOf(`${dataset.name}${n}`) })))
  await turn()
  expect(tasks.started).toEqual(['events_a: a1', 'events_b: b1', 'events_c: c1', 'events_d: d1'])
  await tasks.end('events_b: b1')
  expect(tasks.started.slice(4)).toEqual(['events_b: b2 b3'])
  for (let ended = 0; ended < tasks.started.length; ended++) await tasks.end(tasks.started[ended] as string)
  const twice = ['a', 'b', 'c', 'd'].flatMap((name) => [`events_${name}: ${name}1`, `events_${name}: ${name}2 ${name}3`])
  expect(tasks.started.toSorted()).toEqual([...twice, 'events_e: e1 e2 e3'])
  await Promise.all(all)
})

test('what has a token is inserted alone, and its failure is nobody else’s', async () => {
  const { tasks, writer } = createWriter()
  const dataset = datasetOf('a')
  const write = (text: string, token?: string) => writer.write({ dataset, rows: rowsOf(text), ...(token && { token }) })
  const all = Promise.allSettled([write('1'), write('2'), write('3', 'x'), write('4'), write('5', 'y')])
  await turn()
  expect(tasks.started).toEqual(['events_a: 1', 'events_a: 3 (x)', 'events_a: 5 (y)'])
  await tasks.end('events_a: 3 (x)', new Error('no answer'))
  await tasks.end('events_a: 1')
  await tasks.end('events_a: 2 4')
  await tasks.end('events_a: 5 (y)')
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
})
