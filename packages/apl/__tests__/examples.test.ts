/** The runner of documented examples (`npm run apl:examples`): what it calls an agreement, and the reason that it gives for a difference. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { DECISIONS } from './examples/decisions.ts'
import { type Example, tryExample } from './examples/example.ts'
import { engineForTests } from './support/test-engine.ts'

const engine = engineForTests()

const example = (apl: string, columns: readonly string[], rows: Example['rows']): Example => ({
  page: 'page',
  apl,
  columns,
  rows,
})

test.each<[string, Example, string]>([
  [
    'values',
    example(
      'd | extend twice = n * 2',
      ['n', 'twice'],
      [
        ['1', '2'],
        ['20', '40'],
      ],
    ),
    'values',
  ],
  ['values that the page rounds', example('d | extend third = n / 3.0', ['n', 'third'], [['1', '0.33']]), 'values, rounded'],
  ['values in the marks of a page', example("d | extend path = strcat('/', s)", ['s', 'path'], [['`a`', '`/a`']]), 'values'],
  ['JSON without quotes', example("d | extend o = pack('a', s)", ['s', 'o'], [['x', '\\{a: x\\}']]), 'values, written otherwise'],
  [
    'columns of groups',
    example('d | summarize most = max(n) by s', ['s', 'most'], [['x', '5']]),
    'columns; their figures come from rows that the page does not show',
  ],
])('%s agree', async (_name, one, reason) => {
  expect(await tryExample(one, engine)).toEqual({ agrees: true, reason, detail: '' })
})

test.each<[string, Example, string]>([
  [
    'other values',
    example(
      'd | extend twice = n * 2',
      ['n', 'twice'],
      [
        ['1', '2'],
        ['20', '41'],
      ],
    ),
    'twice: printed 41; found 40',
  ],
  ['other rows', example('d | where n > 5', ['n'], [['1'], ['20']]), 'printed 2; found 1'],
  [
    'a name that the query does not give',
    example('d | summarize count() by s', ['s', 'count'], [['x', '5']]),
    'printed s, count; found s, count_',
  ],
  ['not supported', example('d | extend x = no_such(n)', ['n', 'x'], [['1', '2']]), "function 'no_such'"],
  ['a field that the page does not show', example('d | extend x = m', ['n', 'x'], [['1', '2']]), 'm (x: printed 2; found null)'],
])('%s are a reason', async (reason, one, detail) => {
  expect(await tryExample(one, engine)).toMatchObject({ agrees: false, reason, detail })
})

test('a difference has a reason that is decided, or says that it has none', async () => {
  const decided = async (one: Example) => (await tryExample(one, engine)).decided
  expect(await decided(example('d | summarize count() by s', ['s', 'count'], [['x', '5']]))).toBe('names of columns')
  expect(await decided(example('d | extend x = m', ['n', 'x'], [['1', '2']]))).toBe('input not shown')
  expect(await decided(example('d | extend half = n / 2', ['n', 'half'], [['1', '0.5']]))).toBe('whole numbers')
  expect(await decided(example('d | summarize topk(s, 5)', ['s', 'count_'], [['x', '5']]))).toBe('one value for a group')
  expect(await decided(example('externaldata (a: string) ["x"]', ['a'], [['1']]))).toBe('no network')
  expect(await decided(example('d | extend twice = n * 2', ['n', 'twice'], [['20', '41']]))).toBeUndefined()
})

test('every reason is explained where differences are documented', () => {
  const page = readFileSync(new URL('../../../docs/compatibility.md', import.meta.url), 'utf8')
  expect(DECISIONS.filter((name) => !page.includes(`| ${name} |`))).toEqual([])
})
