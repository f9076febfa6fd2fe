/**
 * Entries of the write-ahead log as bytes and back.
 */
import { expect, test } from '@jest/globals'
import { decodeEntries, encodeEntry, type WaitingRows } from '../src/write/log-entries.ts'

const ROWS: WaitingRows = {
  table: 'events_0123456789',
  sysTimeNs: '1700000000000000001',
  firstTimeNs: '-1',
  lastTimeNs: '1700000000000000000',
  rows: 3,
  body: Buffer.from('[{"a":1},1,2,3]\n'),
  blocks: [Buffer.from([0, 10, 255]), Buffer.from([10])],
}
const SETTLED = { table: ROWS.table, settled: [ROWS.sysTimeNs] }

test('rows as texts and in columns come back as they were, and so does what was settled', () => {
  const bytes = Buffer.concat([ROWS, SETTLED, { ...ROWS, blocks: [] }].flatMap(encodeEntry))
  expect([...decodeEntries(bytes)]).toEqual([
    { ...ROWS, blocks: [Buffer.from([0, 10, 255, 10])] },
    SETTLED,
    { ...ROWS, blocks: [] },
  ])
})

test('of a file that was cut anywhere, or has another byte anywhere, only whole entries before that are read', () => {
  const [first, both] = [Buffer.concat(encodeEntry(ROWS)), Buffer.concat([ROWS, SETTLED].flatMap(encodeEntry))]
  for (let at = first.length; at < both.length; at++) {
    expect([...decodeEntries(both.subarray(0, at))]).toHaveLength(1)
    const broken = Buffer.from(both)
    broken[at] = (broken[at] as number) ^ 1
    expect([...decodeEntries(broken)]).toHaveLength(1)
  }
})
