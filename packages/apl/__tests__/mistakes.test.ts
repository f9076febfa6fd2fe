/** Habits of other languages: what the author is told, and the part of the text that the caret is at. */
import { expect, test } from '@jest/globals'
import { told } from './support/error-of.ts'

const SQL = [
  'this is SQL; a query here begins with a dataset, and reads from left to right',
  "write ['dataset'] | where … | summarize … by … | project …",
]
const NO_COMPARISON = ['"=" gives a column its name; it does not compare', 'write ==']
const ONLY_GROUPS = 'aggregates rows and can only be used in summarize'

test.each<[string, string, string, string]>([
  ['web | where status = 500', '=', ...(NO_COMPARISON as [string, string])],
  ['web | where (status = 500)', '=', ...(NO_COMPARISON as [string, string])],
  ['web | where status === 500', '===', 'there is no "==="', 'write =='],
  ['web | where ok AND status == 500', 'AND', '"AND" is written in small letters', 'write and'],
  ['web | where ok Or status == 500', 'Or', '"Or" is written in small letters', 'write or'],
  ['web | where status IN (1, 2)', 'IN', '"IN" is written in small letters', 'write in'],
  ["web | where path CONTAINS 'a'", 'CONTAINS', '"CONTAINS" is written in small letters', 'write contains'],
  ['web | where status BETWEEN (1 .. 2)', 'BETWEEN', '"BETWEEN" is written in small letters', 'write between'],
  ['web | where ok && status == 500', '&', 'unexpected character "&"', 'conditions are joined with: and'],
  ['web | where ok || status == 500', '|', '"||" is not an operator', 'write or; a single | begins the next operator'],
  ['| where ok', '|', 'a query begins with a dataset', "write ['dataset'] | …"],
  ['web | where not status == 500', 'not', '"not" is a function', 'write not(condition)'],
  ['web | where NOT ok', 'NOT', '"not" is a function', 'write not(condition)'],
  ['web | where !ok', '!', 'unexpected character "!"', 'a condition is turned around with: not(…)'],
  [
    'web | where status is null',
    'is',
    'whether a value is missing is asked by a function',
    'write isnull(field) or isnotnull(field)',
  ],
  [
    "web | where path LIKE '%a%'",
    'LIKE',
    'texts are compared with words of their own',
    "write contains 'x', startswith 'x', endswith 'x' or matches regex 'x.*'",
  ],
  ['web | summarize count() as users', 'as', 'a column is named before its value', 'write name = expression'],
  ['web | extend x = case when ok then 1', 'case', 'a choice is a function', 'write iff(condition, value, otherwise) or case(…)'],
  ['web | extend x = ok ? 1 : 2', '?', 'unexpected character "?"', 'a choice is written iff(condition, value, otherwise)'],
  ['web | summarize count() GROUP BY method', 'GROUP', 'groups are made by summarize', 'write | summarize … by …'],
  [
    'web | summarize count() by method having x',
    'having',
    'groups are filtered by another where',
    'write | where … after summarize',
  ],
  ['web where ok', 'where', 'a "|" is missing before "where"', 'write | where'],
  ['web | where ok limit 5', 'limit', 'a "|" is missing before "limit"', 'write | limit'],
  ['SELECT * FROM web', 'SELECT', ...(SQL as [string, string])],
  ['select id from web', 'select', ...(SQL as [string, string])],
  ['index=web status=500', 'index=', 'a query begins with the name of a dataset alone', "write ['web']"],
  ['{app="web"} |= "error"', '{', 'a query begins with a dataset, not with labels', "write ['dataset'] | where app == 'web'"],
  ['web | stats count by path', 'stats', 'operator "stats" not found', 'write | summarize count() by field'],
  ['web | timechart count', 'timechart', 'operator "timechart" not found', 'write | summarize count() by bin_auto(_time)'],
  ['web | head 5', 'head', 'operator "head" not found', 'write | limit 10'],
  ['web | tail 5', 'tail', 'operator "tail" not found', 'write | sort by _time desc | limit 10'],
  ['web | fields id', 'fields', 'operator "fields" not found', 'write | project field, …'],
  ['web | SELECT id', 'SELECT', 'operator "SELECT" not found', 'write | project field, …'],
  ['web | eval x = 1', 'eval', 'operator "eval" not found', 'write | extend name = expression'],
  ['web | rename a as b', 'rename', 'operator "rename" not found', 'write | project-rename new = old'],
  ['web | dedup id', 'dedup', 'operator "dedup" not found', 'write | distinct field'],
  ['web | rex x', 'rex', 'operator "rex" not found', 'write | parse field with … or extend name = extract(…)'],
  ['web | where path == ‘x’', '‘', 'unexpected character "‘"', "texts are in straight quotes: 'text'"],
  ['web | where path == “x”', '“', 'unexpected character "“"', 'texts are in straight quotes: "text"'],
  ['web | where `path` == 1', '`', 'unexpected character "`"', "a name with special characters is written ['name']"],
  ['web | count # all', '#', 'unexpected character "#"', 'a comment begins with //'],
  ['web | where status ≥ 500', '≥', 'unexpected character "≥"', 'write >='],
  ['web | summarize count() | where count() > 5', 'count()', `count() ${ONLY_GROUPS}`, 'its column is count_'],
  ['web | where avg(status) > 5', 'avg(status)', `avg() ${ONLY_GROUPS}`, 'write | summarize avg(…) by … | where …'],
  [
    "web | where _time > ago('1h')",
    "'1h'",
    '"timespan" of ago() must be a timespan, not the text "1h"',
    'write 1h without quotes',
  ],
  ["web | where _time > now() - '1h'", "now() - '1h'", 'the text "1h" cannot be used with "-"', 'write 1h without quotes'],
  ["web | extend x = path + '!'", "path + '!'", 'texts cannot be added', 'texts are joined with strcat(a, b)'],
  [
    'web | summarize avg(path)',
    'path',
    '"value" of avg() must be a number, and "path" is text',
    'where the texts are digits, write avg(toreal(path))',
  ],
  ['web | summarize count() by bin(_time, 5)', '5', 'the size of bin() of a time must be a timespan', 'write 5s, 5m or 5h'],
  ["web | where 'status' == '500'", "'status'", "'status' in quotes is a text, not the field", 'write status == …'],
  [
    "web | where status > 'high'",
    "status > 'high'",
    'a number is compared with the text "high"',
    'a number is written without quotes',
  ],
  [
    'web | extend x = tags[0:1]',
    '0:1',
    'an index is a number, and a key is a text',
    'a part of an array is array_slice(array, start, end)',
  ],
  [
    'externaldata (a: string) ["https://example.com/a.csv"]',
    'externaldata',
    'externaldata is not read: the service loads nothing from the network',
    "write the rows with datatable (name:type) ['…'], or ingest them as a dataset",
  ],
  [
    'datatable (a: long, b: long) [1, 2, 3]',
    '[1, 2, 3]',
    '3 values do not fill rows of 2 columns',
    'write a value for each column of each row; one that is missing is null',
  ],
  [
    'web | where ok and (users | count)',
    'users | count',
    'a query stands where a value is needed',
    'write toscalar(…) for its first value, or in (…) for all of them',
  ],
  [
    'web | where prev(status) == 200',
    'prev(status)',
    'prev() looks at the rows in their order, and can only be used in extend',
    'write | sort by … | extend name = …',
  ],
  [
    'web | extend x = prev(next(id))',
    'prev(next(id))',
    'prev() cannot look at the rows of another such function',
    'write | extend name = … for the inner one first',
  ],
])('%s', (text, at, message, hint) => {
  expect(told(text)).toEqual([at, message, hint])
})

test('a text that begins with a word of SQL may be a dataset of that name', () => {
  expect(told('select | count')[1]).toBe('dataset "select" not found')
})
