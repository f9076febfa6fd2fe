/**
 * What the reader of items makes of JSON is what JSON.parse makes of it, with all digits of integers.
 */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../../__tests__/support/long.ts'
import { ItemReader } from '../../src/otlp/item-reader.ts'

/** Reads an item twice, because names are taken from the item before. @returns nothing where it is left to JSON.parse */
function read(text: string, before = text): { value: unknown } | undefined {
  const [first, item] = [Buffer.from(before), Buffer.from(text)]
  const reader = new ItemReader(Buffer.concat([first, Buffer.from(','), item]))
  try {
    reader.read(0, first.length)
  } catch {
    // Its names count all the same.
  }
  try {
    return { value: reader.read(first.length + 1, first.length + 1 + item.length) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const name = fc.oneof(
  fc.constantFrom(
    'key',
    'value',
    'stringValue',
    'intValue',
    'boolValue',
    'doubleValue',
    'attributes',
    '__proto__',
    'é',
    'Ã\u0083',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    name,
    fc.constantFrom(null, true, false, 0, -0, 5, 1e21, 1e-7, 'a"b\\c\n\u007f', '😀', '9007199254740993'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.record({ key: name, value: tie('any') }),
    fc.dictionary(name, tie('any'), { maxKeys: 4 }),
    fc.array(tie('any'), { maxLength: 4 }),
  ),
}))
const blank = fc.constantFrom('', ' ', '\n\t', '\r')
const written = fc
  .record({ value: any, indent: fc.constantFrom(0, 1), before: blank, after: blank })
  .map(({ value, indent, before, after }) => before + JSON.stringify(value, null, indent) + after)

test('an item is read as JSON.parse reads it, whatever was before it', () => {
  let isRead = 0
  const property = fc.property(written, written, (text, before) => {
    const item = read(text, before)
    if (item) isRead++
    if (item) expect(item.value).toEqual(parseExact(text))
    expect(read(text)).toEqual(item)
  })
  fc.assert(property, { numRuns: runs(1_000, 20_000) })
  expect(isRead).toBeGreaterThan(900)
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
  ['{"value":1,"key":"a"}', { key: 'a', value: 1 }],
  ['{"k\\u0065y":"\\u0061"}', { key: 'a' }],
])('%s is an item', (text, value) => {
  expect(read(text)).toEqual({ value })
})

test.each([
  ['an end that is missing', '{"key":"a","value":1'],
  ['a comma that is missing', '{"key":"a" "value":1}'],
  ['a colon that is missing', '{"key" "a"}'],
  ['a name without quotes', '{key:"a"}'],
  ['the wrong bracket', '{"a":1]'],
  ['a comma too many', '["a",]'],
  ['a number with a zero before it', '[01]'],
  ['a line end in a string', '["a\n"]'],
  ['two values', '{} {}'],
  ['nothing', ' '],
  ['deep nesting', '['.repeat(1_000) + ']'.repeat(1_000)],
  ['many strings', JSON.stringify(Array(5_000).fill('a'))],
  ['many numbers', JSON.stringify(Array(100).fill(0))],
])('%s is left to JSON.parse', (_, text) => {
  expect(read(text)).toBeUndefined()
})
