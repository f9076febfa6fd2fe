/** The runner of documented examples (`npm run apl:examples`): what it calls an agreement, and the reason that it gives for a difference. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { DECISIONS } from './examples/decisions.ts'
import { type Example, tryExample } from './examples/example.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'

const engine = engineForTests()

const example = (apl: string, columns: readonly string[], rows: Example['rows']): Example => ({
  page: 'page',
  apl,
  columns,
  rows,
})

type Case = readonly [name: string, example: Example, reason: string]
const { agreements, differences } = readGolden<Readonly<Record<'agreements' | 'differences', readonly Case[]>>>('examples')

test.each(agreements)('%s agree', async (_name, one, reason) => {
  expect(await tryExample(one, engine)).toEqual({ agrees: true, reason, detail: '' })
})

test.each(differences)('%s are a reason', async (reason, one, detail) => {
  expect(await tryExample(one, engine)).toMatchObject({ agrees: false, reason, detail })
})

test('a difference has a reason that is decided, or says that it has none', async () => {
  const decided = async (one: Example) => (await tryExample(one, engine)).decided
  expect(await decided(example('d | summarize count() by s', ['s', 'count'], [['x', '5']]))).toBe('names of columns')
  expect(await decided(example('d | extend x = m', ['n', 'x'], [['1', '2']]))).toBe('input not shown')
  expect(await decided(example('d | extend half = toint(n) / 2', ['n', 'half'], [['1', '0.5']]))).toBe('whole numbers')
  expect(await decided(example('d | summarize topk(s, 5)', ['s', 'count_'], [['x', '5']]))).toBe('one value for a group')
  expect(await decided(example('externaldata (a: string) ["x"]', ['a'], [['1']]))).toBe('no network')
  expect(await decided(example('d | extend twice = n * 2', ['n', 'twice'], [['20', '41']]))).toBeUndefined()
})

test('every reason is explained where differences are documented', () => {
  const page = readFileSync(new URL('../../../docs/compatibility.md', import.meta.url), 'utf8')
  expect(DECISIONS.filter((name) => !page.includes(`| ${name} |`))).toEqual([])
})
