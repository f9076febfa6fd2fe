/** Which columns of an answer are fields that its events can be filtered by. */
import { expect, test } from '@jest/globals'
import { readFilterable } from '../../src/filters/filtered.ts'

const COLUMNS = ['_time', 'path', 'my field', 'geo.city', 'n', 'count_']

test.each([
  ["['web']", ['path', 'my field', 'geo.city', 'n', 'count_']],
  ["['web'] | where n > 1 | sort by n | take 5", ['path', 'my field', 'geo.city', 'n', 'count_']],
  ["['web'] | summarize count() by path, ['my field']", ['path', 'my field']],
  ["['web'] | summarize count_ = count() by bin(_time, 5m), geo.city // by n", ['geo.city']],
  ["let a = 1 | 2; ['web'] | extend n = strlen(path) | summarize count() by n | top 3 by count_", ['n']],
  ["['web'] | summarize n = count() by path = tostring(n)", []],
  ["['web'] | summarize count() by path | extend path = 'x'", []],
  ["['web'] | summarize count() by path | summarize count() by path", []],
  ["['web'] | project path, n = strlen(path), ['my field']", ['path', 'my field']],
  ["['web'] | distinct path, n | sort by path", ['path', 'n']],
  ["['web'] | project-rename path = n", []],
  ["['web'] | project-away n", ['path', 'my field', 'geo.city', 'n', 'count_']],
  ["['web'] | union ['api']", []],
])('of %s', (apl, wanted) => {
  expect(COLUMNS.filter(readFilterable(apl))).toEqual(wanted)
})
