/** Filters as predicates: written, read, inverted and put into queries, and what the real service answers to them. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { ingest, send } from '../../../../__tests__/support/fill.ts'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { describeFilter, invertFilter, readFilter, withFilter, withoutField, writeFilter } from '../../src/filters/filter.ts'
import { eventsOfQuery, filterDataset, filterQuery } from '../../src/filters/filtered.ts'

const HOSTILE = '\' or true | project x = "\\ // \u202e\n{}'

const service = serviceForTests()

/** Fields and values with their predicate and its words, and queries: the part before their filters, and the part behind them. */
const CASES = JSON.parse(readFileSync(new URL('filtered.json', import.meta.url), 'utf8')) as {
  predicates: [field: string, value: unknown, predicate: string, words: string][]
  parts: [events: string, rest: string][]
}

test.each<[field: string, value: unknown, predicate: string, words: string]>([
  ...CASES.predicates,
  ['n', 9007199254740993n, 'n == 9007199254740993', 'n is 9007199254740993'],
  ['x', HOSTILE, "x == '\\' or true | project x = \"\\\\ // \\u{202e}\\u{a}{}'", `x is ${HOSTILE}`],
])('a filter of %j with %j is %s', (field, value, predicate, words) => {
  expect(writeFilter(field, value)).toBe(predicate)
  expect(describeFilter(predicate)).toBe(words)
  expect(readFilter(predicate)).toMatchObject({ field, isExcluded: false })
  const opposite = invertFilter(predicate) ?? ''
  expect(opposite).toBe(writeFilter(field, value, { isExcluded: true }))
  expect(invertFilter(opposite)).toBe(predicate)
})

test('no filter is made of what cannot be compared, and none is read out of another predicate', () => {
  for (const value of [[1], { a: 1 }, 'x'.repeat(501)]) expect(writeFilter('x', value)).toBeUndefined()
  const others = ['a == 1 or true', 'a == b', '== 1', "a contains 'x'", 'f(a) == 1', "a == 'x' | count", 'a ==', 'a.b. == 1', '']
  for (const predicate of others) expect([readFilter(predicate), describeFilter(predicate)]).toEqual([undefined, predicate])
})

test('another value of a field takes the place of the one before; what is left out stays beside others', () => {
  expect(withFilter(['a == 1', 'b != 2'], 'a == 2')).toEqual(['b != 2', 'a == 2'])
  expect(withFilter(['a == 1', 'b != 2'], 'a != 1')).toEqual(['b != 2', 'a != 1'])
  expect(withFilter(['a != 1'], 'a != 2')).toEqual(['a != 1', 'a != 2'])
  expect(withFilter(['a != 1'], 'a != 1')).toEqual(['a != 1'])
  expect(withoutField(['a != 1', 'b == 1', "a contains 'x'"], 'a')).toEqual(['b == 1', "a contains 'x'"])
})

test.each(CASES.parts)('the filters of a query stand behind %j', (events, rest) => {
  const apl = events + rest
  expect(eventsOfQuery(apl)).toBe(events)
  expect(filterQuery(apl, ['a == 1'])).toBe(`${events}\n| where a == 1${rest && `\n${rest}`}`)
})

test('the service finds by each filter the events with the value, and by its opposite the others', async () => {
  const values = [
    500,
    '500',
    0.1,
    -7,
    9007199254740993n,
    -9223372036854775808n,
    true,
    '',
    'Rome',
    HOSTILE,
    '\ud83d\ude80',
    undefined,
  ]
  const write = (value: unknown) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))
  const events = values.map(
    (value, n) => `{"n":${n}${value === undefined ? '' : `,"a.b":${write(value)},"o":{"k k":${write(value)}}`}}`,
  )
  await ingest(service, 'all', `[${events.join()}]`)
  await ingest(service, 'others', [{ n: 0 }])
  const find = async (dataset: string, predicate: string) => {
    const apl = `${filterDataset(dataset, [predicate], true)} | project n | sort by n asc`
    const body = { apl, startTime: 'now-1h', endTime: 'now+1h' }
    const answer = await send<{ tables: { columns: number[][] }[] }>(service, 'POST', '/v1/datasets/_apl?format=tabular', body)
    return answer.tables[0]?.columns[0] ?? []
  }
  // A number finds the text that spells it, too, and true the numbers that are not 0, as in a field of numbers alone.
  const EQUAL = new Map<unknown, number[]>([
    [500, [0, 1]],
    ['500', [0, 1]],
    [true, [0, 2, 3, 4, 5, 6]],
  ])
  const all = values.map((_, n) => n)
  for (const [n, value] of values.entries()) {
    const wanted = EQUAL.get(value) ?? [n]
    for (const field of ['a\\.b', 'o.k k']) {
      const predicate = writeFilter(field, value) ?? ''
      expect([predicate, await find('all', predicate)]).toEqual([predicate, wanted])
      const without = invertFilter(predicate) ?? ''
      expect([without, await find('all', without)]).toEqual([without, all.filter((other) => !wanted.includes(other))])
    }
  }
  // No event of a dataset without the field has the value.
  expect(await find('others', 'status == 500')).toEqual([])
  expect(await find('others', 'status != 500')).toEqual([0])
})
