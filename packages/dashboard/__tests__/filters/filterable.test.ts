/** Which columns of an answer are fields that its events can be filtered by. */
import { readFileSync } from 'node:fs'
import { testGolden } from '../../../apl/__tests__/support/golden.ts'
import { readFilterable } from '../../src/filters/filtered.ts'

const COLUMNS = ['_time', 'path', 'my field', 'geo.city', 'n', 'count_']

testGolden(JSON.parse(readFileSync(new URL('filterable.json', import.meta.url), 'utf8')), (apl) =>
  COLUMNS.filter(readFilterable(apl)),
)
