/** What is said of calls whose arguments are missing, too many or of another type: by the names that the function's row gives them. */
import { expect, test } from '@jest/globals'
import { told } from './support/error-of.ts'

test.each<[call: string, at: string, message: string, hint: string | undefined]>([
  [
    'substring(path)',
    'substring(path)',
    'substring(source, startingIndex, [length]) needs "startingIndex"',
    "for example substring('abcdef', 1, 3)",
  ],
  [
    "extract('a')",
    "extract('a')",
    'extract(regex, captureGroup, source, [type]) needs "captureGroup" and "source"',
    "for example extract('user=([a-z]+)', 1, 'user=ann code=200')",
  ],
  [
    "extract_all('a')",
    "extract_all('a')",
    'extract_all(regex, [captureGroups], source) needs "source"',
    "for example extract_all('([0-9]+)', '10 of 12')",
  ],
  ['tolower(path, 1, 2)', '1, 2', 'tolower(source) takes 1 argument at most, not 3', "for example tolower('GET')"],
  ['pi(1)', '1', 'pi() takes no arguments, not 1', 'for example round(2 * pi(), 2)'],
  [
    'case()',
    'case()',
    'case(condition, value, …, otherwise) needs "condition" and "otherwise"',
    "for example case(404 >= 500, 'server', 404 >= 400, 'client', 'fine')",
  ],
  ['round("x")', '"x"', '"number" of round() must be a number, not the text "x"', undefined],
  ['extract(path, 0, path)', 'path', '"regex" of extract() must be a constant, and "path" is none', undefined],
  ['split(path, 1)', '1', '"delimiter" of split() must be a text', undefined],
  [
    "datetime_add('fortnight', 1, _time)",
    "'fortnight'",
    '"part" of datetime_add() must be a unit of time',
    'one of year, quarter, month, week, day, hour, minute, second, millisecond, microsecond, nanosecond',
  ],
  [
    'startofday("noon")',
    '"noon"',
    '"time" of startofday() must be a point in time, not the text "noon"',
    'write datetime(2026-01-31T12:00:00Z)',
  ],
  ['toscalar(5)', '5', '"query" of toscalar() must be a query', 'toscalar(dataset | summarize max(field))'],
])('%s', (call, at, message, hint) => {
  expect(told(`web | project x = ${call}`)).toEqual([at, message, hint])
})

test.each([
  ['avg()', 'avg(value) needs "value"'],
  ['sumif(status)', 'sumif(value, condition) needs "condition"'],
  ['countif()', 'countif(condition) needs "condition"'],
  ['percentile(duration)', 'percentile(value, percentile) needs "percentile"'],
  ['dcount(id, 1, 2)', 'dcount(value, [accuracy]) takes 2 arguments at most, not 3'],
])('%s', (call, message) => {
  expect(told(`web | summarize ${call}`)[1]).toBe(message)
})

test("arguments of the query's own functions and of window functions have names too", () => {
  expect(told('let f = (x: long, y: long = 2) { x + y }; print f()')[1]).toBe('f(x, [y]) needs "x"')
  expect(told('web | sort by id | extend x = prev()')[1]).toBe('prev(value, [distance], [otherwise]) needs "value"')
})
