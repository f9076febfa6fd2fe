import { expect, test } from '@jest/globals'
import { createCodec, digits, flag, integer, json, number, oneOf, optional, stored, text } from '../src/schema/row-codec.ts'

const { columns, fromRow, toRow, toChange } = createCodec({
  id: text,
  table: stored('table_name', text),
  state: oneOf<'open' | 'closed'>(),
  startNs: integer,
  createdAtMs: number,
  sysTimeNs: digits,
  names: json<string[]>(),
  hidden: flag,
  endNs: optional(integer),
  rules: optional(json<object>()),
})
const LARGE = 9_223_372_036_854_775_807n
const RECORD = {
  id: 'a',
  table: 'events_1',
  state: 'open',
  startNs: LARGE,
  createdAtMs: 1_700_000_000_000,
  sysTimeNs: String(LARGE),
  names: ['ä', '"'],
} as const
const ROW = {
  id: 'a',
  table_name: 'events_1',
  state: 'open',
  start_ns: LARGE,
  created_at_ms: 1_700_000_000_000n,
  sys_time_ns: LARGE,
  names: '["ä","\\""]',
  hidden: 0n,
  end_ns: null,
  rules: null,
}

test('a record without its optional members is a row in which these are unset, and is read back from it', () => {
  const row = toRow({ ...RECORD, names: [...RECORD.names] })
  expect(row).toEqual(ROW)
  expect(fromRow(row)).toStrictEqual(RECORD)
})

test('optional members are read back, and a flag that is false is absent', () => {
  const record = { ...RECORD, names: [], hidden: true, endNs: LARGE, rules: { 'a-b': 1 } }
  expect(fromRow(toRow(record))).toStrictEqual(record)
  expect(fromRow(toRow({ ...record, hidden: false }))).not.toHaveProperty('hidden')
})

test('a change has the columns of the members that it names, and unsets those that are undefined', () => {
  expect(toChange({ createdAtMs: 5, endNs: undefined })).toEqual({ created_at_ms: 5n, end_ns: null })
})

test('a row that lacks a column is refused, as a record is that lacks a member', () => {
  expect(columns).toEqual(Object.keys(ROW))
  const { end_ns: _, ...incomplete } = ROW
  expect(() => fromRow(incomplete as typeof ROW)).toThrow('the statement selects the column end_ns')
  expect(() => toChange({ id: undefined })).toThrow('a record always has id')
})
