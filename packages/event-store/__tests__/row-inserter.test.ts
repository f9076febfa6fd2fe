import { expect, test } from '@jest/globals'
import { turn } from '../../runtime/__tests__/concurrency/tasks.ts'
import { ByteWriter } from '../src/native/byte-writer.ts'
import type { Rows } from '../src/rows/rows.ts'
import { type EventTables, UnreadableRowsError } from '../src/tables/event-tables.ts'
import { RowInserter } from '../src/write/row-inserter.ts'

/** Rows of these texts. */
function rowsOf(...texts: string[]): Rows {
  const lines = texts.map((text) => `${text}\n`)
  let bytes = 0
  const ends = lines.map((line) => {
    bytes += line.length
    return bytes
  })
  const written = new ByteWriter()
  written.append(Buffer.from(lines.join('')))
  return { texts: written, areSimple: true, blocks: [], bytes, count: texts.length, ends, events: texts.map((_, index) => index) }
}

/** A table that refuses every insert with the text `bad` in it, and keeps the rows of the others. */
function createTable() {
  const stored: string[] = []
  const inserts: string[] = []
  const tokens: (string | undefined)[] = []
  const tables: Partial<EventTables> = {
    async insert(_, { texts }, options) {
      await turn()
      const text = Buffer.concat(texts).toString()
      inserts.push(text)
      tokens.push(options?.token)
      if (text.includes('down')) throw new Error('the store is down')
      if (text.includes('bad')) throw new UnreadableRowsError('not readable')
      stored.push(...text.trimEnd().split('\n'))
    },
  }
  return { stored, inserts, tokens, inserter: new RowInserter(tables as EventTables) }
}

test('rows of several requests are one insert', async () => {
  const { inserts, inserter } = createTable()
  expect(await inserter.insertAll('t', [rowsOf('a', 'b', 'c'), rowsOf(), rowsOf('d')])).toEqual([[], [], []])
  expect(inserts).toEqual(['a\nb\nc\nd\n'])
})

test('a row that the engine cannot read costs none of its neighbors, in its request or beside it', async () => {
  const { stored, inserter } = createTable()
  const refused = await inserter.insertAll('t', [rowsOf('a', 'b'), rowsOf('c', 'bad', 'd', 'e', 'bad too'), rowsOf('f')])
  expect(refused).toEqual([
    [],
    [
      { index: 1, reason: 'not readable' },
      { index: 4, reason: 'not readable' },
    ],
    [],
  ])
  expect(stored).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('any other error of the store is the answer of all', async () => {
  const { stored, inserter } = createTable()
  await expect(inserter.insertAll('t', [rowsOf('a'), rowsOf('down')])).rejects.toThrow('the store is down')
  expect(stored).toEqual([])
})

test('several inserts at a time do not write into each other', async () => {
  const { inserts, inserter } = createTable()
  const calls = Array.from({ length: 5 }, (_, i) => inserter.insertAll(`t${i}`, [rowsOf(`${i}`, 'a', 'b'), rowsOf(`${i}`)]))
  await Promise.all(calls)
  await inserter.insertAll('t5', [rowsOf('5', 'a', 'b'), rowsOf('5')])
  expect(inserts).toEqual(Array.from({ length: 6 }, (_, i) => `${i}\na\nb\n${i}\n`))
})

test('a repeat sends the same rows with the same token, and a part of them with one of its own', async () => {
  const { stored, tokens, inserter } = createTable()
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await inserter.insertAll('t', [rowsOf('a', 'bad', 'c')], 'request-7')).toEqual([
      [{ index: 1, reason: 'not readable' }],
    ])
  }
  expect(stored).toEqual(['a', 'c', 'a', 'c'])
  const once = ['request-7', 'request-7/0-1', 'request-7/1-3', 'request-7/1-2', 'request-7/2-3']
  expect(tokens).toEqual([...once, ...once])
})
