/**
 * What the reader of items makes of JSON is what JSON.parse makes of it, with all digits of integers.
 */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../../__tests__/support/long.ts'
import { ItemReader } from '../../src/otlp/item-reader.ts'

/** Reads an item after another one, whose names it may have too. @returns nothing where it is left to JSON.parse */
function read(text: string, before = text): { value: unknown } | undefined {
  const [first, item] = [Buffer.from(`${before},`), Buffer.from(text)]
  const reader = new ItemReader(Buffer.concat([first, item]))
  const readItem = (from: number, to: number) => {
    try {
      return { value: reader.read(from, to) }
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }
  readItem(0, first.length - 1)
  return readItem(first.length, first.length + item.length)
}

const NAMES = ['key', 'value', 'stringValue', 'intValue', 'attributes', '__proto__', 'é', 'Ã\u0083', '9007199254740993']
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'grapheme', maxLength: 5 }))
const single = fc.oneof(name, fc.constantFrom(null, true, false, 0, -0, 1e21, 'a"b\\c\n\u007f'), fc.jsonValue({ maxDepth: 2 }))
const member = fc.oneof(single, fc.dictionary(name, single, { maxKeys: 3 }), fc.array(single, { maxLength: 3 }))
const pair = fc.record({ key: name, value: member })
const blank = fc.constantFrom('', ' ', '\n\t', '\r')
const written = fc
  .tuple(
    fc.oneof(member, fc.array(pair, { maxLength: 3 }), fc.dictionary(name, fc.array(pair, { maxLength: 3 }), { maxKeys: 3 })),
    fc.constantFrom(0, 1),
    blank,
    blank,
  )
  .map(([value, indent, before, after]) => before + JSON.stringify(value, null, indent) + after)

test('an item is read as JSON.parse reads it, whatever was before it', () => {
  let isRead = 0
  const property = fc.property(written, written, (text, before) => {
    for (const item of [read(text), read(text, before)]) {
      if (item) isRead++
      if (item) expect(item.value).toEqual(parseExact(text))
    }
  })
  fc.assert(property, { numRuns: runs(1_000, 20_000) })
  expect(isRead).toBeGreaterThan(1_000)
})

test('damaged JSON is read as JSON.parse reads it, or left to it', () => {
  const property = fc.property(written, fc.nat(), fc.constantFrom(...'{}[]",:\\0-1e. tn', ''), (text, at, put) => {
    const place = at % text.length
    const damaged = (text.slice(0, place) + put + text.slice(place + 1)).replace(/\p{Surrogate}/gu, '?')
    const item = read(damaged, text)
    if (item) expect(item.value).toEqual(parseExact(damaged))
  })
  fc.assert(property, { numRuns: runs(2_000, 50_000) })
})

test.each([
  ['{"key":"a","value":{"intValue":9007199254740993}}', { key: 'a', value: { intValue: 9007199254740993n } }],
  ['[-9223372036854775808,9007199254740991,1e3,-0]', [-9223372036854775808n, 9007199254740991, 1_000, -0]],
  ['{"stringValue":"a","stringValue":"b"}', { stringValue: 'b' }],
  ['{"key":"a","key":"b"}', { key: 'b' }],
])('%s is an item', (text, value) => {
  expect(read(text)).toEqual({ value })
})

test('deep nesting and long lists are left to JSON.parse', () => {
  expect(read('['.repeat(1_000) + ']'.repeat(1_000))).toBeUndefined()
  expect(read(JSON.stringify(Array(5_000).fill('a')))).toBeUndefined()
  expect(read(JSON.stringify(Array(100).fill(0)))).toBeUndefined()
})
