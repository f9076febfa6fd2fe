/** Events as lists of fields, named as the service names them. */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fieldKeys } from '../../../event-store/src/fields/field.ts'
import { flatten, typeName } from '../../src/events/flatten.ts'

test('nested objects become dotted names; arrays and empty keys stay', () => {
  expect(flatten({ geo: { city: 'Rome', at: { lat: 1 } }, tags: [{ a: 1 }], '': true, none: {} })).toEqual([
    { name: 'geo.city', value: 'Rome' },
    { name: 'geo.at.lat', value: 1 },
    { name: 'tags', value: [{ a: 1 }] },
    { name: '', value: true },
  ])
})

test('dots and backslashes inside a key are escaped', () => {
  expect(flatten({ 'a.b': { 'c\\d': 1 } })).toEqual([{ name: 'a\\.b.c\\\\d', value: 1 }])
})

test('names read back to the keys as the service reads them', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (keys) => {
      const data = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), 1) as Record<string, unknown>
      expect(flatten(data).map(({ name }) => fieldKeys(name))).toEqual([keys])
    }),
  )
})

test('a key that objects have by themselves is a field like any other', () => {
  const data = JSON.parse('{"__proto__":{"x":1},"constructor":2}')
  expect(flatten(data).map(({ name }) => name)).toEqual(['__proto__.x', 'constructor'])
})

test('numbers that a double cannot hold are values, not objects', () => {
  const [field] = flatten(parseExact('{"n":9007199254740993}') as Record<string, unknown>)
  expect([String(field?.value), typeName(field?.value)]).toEqual(['9007199254740993', 'number'])
})

test.each([
  ['x', 'string'],
  [1.5, 'number'],
  [false, 'boolean'],
  [null, 'null'],
  [[1, 2], 'array of 2'],
])('the type of %j is %s', (value, type) => {
  expect(typeName(value)).toBe(type)
})
