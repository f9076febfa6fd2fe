/**
 * Entries of the write-ahead log as bytes and back.
 */
import { expect, test } from '@jest/globals'
import { decodePieces, encodeEntry, type WaitingRows } from '../src/write/log-entries.ts'

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
const START = { batch: 0, needed: 7 }

const entriesOf = (bytes: Buffer) => [...decodePieces(bytes)].flatMap((piece) => ('entry' in piece ? [piece.entry] : []))
const unreadableOf = (bytes: Buffer) =>
  [...decodePieces(bytes)].flatMap((piece) => ('unreadable' in piece ? [{ at: piece.at, ...piece.unreadable }] : []))

test('rows as texts and in columns come back as they were, and so do what was settled and the beginning of a batch', () => {
  const bytes = Buffer.concat([START, ROWS, SETTLED, { ...ROWS, blocks: [] }].flatMap(encodeEntry))
  const read = [...decodePieces(Buffer.concat([bytes, Buffer.alloc(5_000)]))]
  expect(read.map((piece) => ('start' in piece ? piece.start : 'entry' in piece ? piece.entry : piece))).toEqual([
    START,
    { ...ROWS, blocks: [Buffer.from([0, 10, 255, 10])] },
    SETTLED,
    { ...ROWS, blocks: [] },
  ])
})

test('in a file that was cut anywhere, or has another byte anywhere, every whole entry is read, and all else is named', () => {
  const [first, both] = [Buffer.concat(encodeEntry(ROWS)), Buffer.concat([ROWS, ROWS, SETTLED].flatMap(encodeEntry))]
  for (let at = first.length + 1; at < 2 * first.length; at++) {
    const cut = both.subarray(0, at)
    // A cut may leave nothing but zeros, which are no entry.
    expect([entriesOf(cut).length, unreadableOf(cut)]).toEqual([1, [expect.objectContaining({ at: first.length })]])
    const broken = Buffer.from(both)
    broken[at] = (broken[at] as number) ^ 1
    expect(entriesOf(broken)).toMatchObject([{ rows: 3 }, SETTLED])
    expect(unreadableOf(broken)).toEqual([{ at: first.length, to: 2 * first.length, requests: 1 }])
  }
})

test('what was only settled is no request, and zeros at the end are nothing, however many', () => {
  const bytes = Buffer.concat([ROWS, SETTLED, ROWS].flatMap(encodeEntry))
  const broken = Buffer.from(bytes)
  const at = Buffer.concat(encodeEntry(ROWS)).length
  broken.writeUInt8(broken.readUInt8(at + 60) ^ 1, at + 60)
  expect(unreadableOf(broken)).toMatchObject([{ at, requests: 0 }])
  for (const zeros of [1, 7, 8, 9, 4_096]) {
    const longer = Buffer.concat([bytes, Buffer.alloc(zeros)])
    expect([entriesOf(longer).length, unreadableOf(longer)]).toEqual([3, []])
  }
})
