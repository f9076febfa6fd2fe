/** The legacy body: it must mean what the same query in text means. */
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { compileLegacy } from '../src/legacy.ts'
import type { Statement } from '../src/sql/plan.ts'
import { readRows } from './support/engine.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const engine = engineForTests(loadAll)

type LegacyBody = Parameters<typeof compileLegacy>[0]

interface Case {
  readonly body: LegacyBody
}
const CASES = readGolden<{
  readonly means: readonly (Case & { readonly query: string })[]
  readonly refused: readonly (Case & { readonly message: string })[]
}>('legacy')

test.each(CASES.means.map(({ body, query }) => [body, query] as const))('%j is %s', (body, text) => {
  const [legacy, written] = [compileLegacy(body, 'web', options), compile(text, options)]
  expect(renumbered(legacy)).toEqual(renumbered(written))
  expect(legacy.totals).toEqual(written.totals)
  engine.query(legacy)
})

/** A text gives a number to a width of bins that no part of the statement needs in the end, so the numbers of the others differ. */
function renumbered({ sql, params }: Pick<Statement, 'sql' | 'params'>) {
  const names = [...new Set([...sql.matchAll(/\{(p\d+):/g)].map(([, name = '']) => name))]
  return {
    sql: sql.replace(/\{(p\d+):/g, (_, name: string) => `{p${names.indexOf(name)}:`),
    values: names.map((name) => params[name]),
    count: Object.keys(params).length,
  }
}

test('aggregates come as a series of bins and as totals; a limit keeps whole groups', () => {
  const plan = compileLegacy(
    {
      aggregations: [{ op: 'count', alias: 'n' }],
      groupBy: ['method'],
      order: [{ field: 'n', desc: true }],
      limit: 1,
      resolution: '1h',
    },
    'web',
    options,
  )
  expect(plan.buckets).toEqual({ field: '_time', sizeNs: 3_600_000_000_000n })
  expect(readRows(plan, engine.query(plan))).toEqual([
    { _time: '2026-01-01T00:00:00.000000000Z', method: 'GET', n: 2 },
    { _time: '2026-01-01T01:00:00.000000000Z', method: 'GET', n: 1 },
  ])
  expect(plan.totals && readRows(plan.totals, engine.query(plan.totals))).toEqual([{ method: 'GET', n: 3 }])
})

test.each(CASES.refused.map(({ body, message }) => [body, message] as const))('%j is refused', (body, message) => {
  expect(() => compileLegacy(body, 'web', options)).toThrow(expect.objectContaining({ name: 'QueryError', message }))
})
