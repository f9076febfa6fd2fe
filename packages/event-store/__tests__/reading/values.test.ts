/** Values of statements reach the engine as they are, whatever they look like, and names and texts that look like parameters stay. */
import { expect, test } from '@jest/globals'
import { Binder, quoteName, quoteText } from '../../../apl/src/sql/quoting.ts'
import { readerForTests } from './test-reader.ts'

const { reader } = readerForTests()

/** @param make columns, by their SQL @returns the only row */
async function row(make: (binder: Binder) => string[]): Promise<unknown[]> {
  const binder = new Binder()
  const sql = `SELECT ${make(binder).join(', ')}`
  await using result = await reader.read({ sql, params: binder.params }, new AbortController().signal)
  return JSON.parse(((await result.first()) ?? '').replace(/,$/, ''))
}

const HOSTILE = ["'; DROP TABLE x; --", "\\'", '{p0:String}', '`', '\0\t\n\r\b\f', '😀 ß', '\\N', '$1 $& {p1:Int64}', '']

test('texts and lists of texts stay the same, letter by letter', async () => {
  for (const text of HOSTILE) expect(await row((binder) => [binder.text(text)])).toEqual([text])
  expect(await row((binder) => [binder.texts(HOSTILE), ...HOSTILE.map((text) => binder.text(text))])).toEqual([
    HOSTILE,
    ...HOSTILE,
  ])
})

test('numbers, times and truths have the type of their parameter', async () => {
  const types = await row((binder) => {
    const values = [
      binder.integer(-5n),
      binder.count(65_000),
      binder.real(1e21),
      binder.bind('Bool', true),
      binder.time(1_700_000_000_123_456_789n),
      binder.numbers('Array(Int64)', [9_007_199_254_740_993n, -1n]),
    ]
    return values.flatMap((value) => [`toTypeName(${value})`, `toString(${value})`])
  })
  expect(types).toEqual([
    ...['Int64', '-5', 'UInt64', '65000', 'Float64', '1e21', 'Bool', 'true'],
    ...["DateTime64(9, 'UTC')", '2023-11-14 22:13:20.123456789', 'Array(Int64)', '[9007199254740993,-1]'],
  ])
})

test('a name and a quoted text that look like a parameter are none', async () => {
  const name = '{p0:String}'
  const ofTuple = (binder: Binder) => [
    binder.text('value'),
    quoteText(`${name}' \\ ${name}`),
    `CAST(tuple('found'), ${quoteText(`Tuple(${quoteName(name)} String)`)}) AS t`,
    `t.${quoteName(name)}`,
  ]
  expect(await row(ofTuple)).toEqual(['value', `${name}' \\ ${name}`, expect.anything(), 'found'])
})
