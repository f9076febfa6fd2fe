/** Random programs: what compiles must run, and what does not must be the query's fault. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../__tests__/support/long.ts'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { AGGREGATES } from '../src/functions/aggregates.ts'
import { FUNCTIONS } from '../src/functions/table.ts'
import { compileLegacy } from '../src/legacy.ts'
import type { Plan } from '../src/sql/plan.ts'
import { orError } from './support/error-of.ts'
import { readGolden } from './support/golden.ts'
import { engineForTests } from './support/test-engine.ts'
import { loadAll, options } from './support/web.ts'

const engine = engineForTests(loadAll)

/** What the programs are made of. */
const { fields, constants, infix, operators, sources, pieces, values } =
  readGolden<
    Readonly<Record<'fields' | 'constants' | 'infix' | 'operators' | 'sources' | 'pieces' | 'values', readonly string[]>>
  >('random')

const outcome = { ran: 0, refused: 0 }

function attempt(make: () => Plan): void {
  const plan = orError(make)
  if (plan instanceof QueryError) {
    expect(plan.explain()).toContain(plan.message)
    outcome.refused += 1
    return
  }
  for (const statement of [plan, plan.count, ...(plan.totals ? [plan.totals] : []), ...(plan.together ? [plan.together] : [])])
    engine.query(statement)
  outcome.ran += 1
}

const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: fc.constantFrom(...fields) },
    { weight: 3, arbitrary: fc.constantFrom(...constants) },
    {
      weight: 3,
      arbitrary: fc.tuple(tie('any'), fc.constantFrom(...infix), tie('any')).map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.keys(FUNCTIONS)), fc.array(tie('any'), { maxLength: 3 }))
        .map(([name, items]) => `${name}(${items.join(', ')})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('any'), fc.array(tie('any'), { maxLength: 3 }))
        .map(([a, items]) => `(${a} in (${items.join(', ')}))`),
    },
    { weight: 1, arbitrary: fc.tuple(tie('any'), tie('any'), tie('any')).map(([a, b, c]) => `(${a} between (${b} .. ${c}))`) },
    { weight: 1, arbitrary: fc.tuple(tie('any'), tie('any')).map(([a, b]) => `${a}[${b}]`) },
    { weight: 1, arbitrary: tie('any').map((a) => `-(${a})`) },
  ),
})).any

const aggregation = fc.oneof(
  fc
    .tuple(fc.constantFrom(...Object.keys(AGGREGATES)), fc.array(expression, { maxLength: 2 }))
    .map(([name, items]) => `${name}(${items.join(', ')})`),
  fc
    .tuple(fc.constantFrom('count', 'sum', 'dcount', 'max'), fc.array(expression, { maxLength: 2 }))
    .map(([name, items]) => `${name}if(${items.join(', ')})`),
  fc.constantFrom(
    'count()',
    'percentile(duration, 50)',
    'arg_max(duration, id, code)',
    'topk(code, 3)',
    'make_set(tags)',
    'any(geo)',
  ),
)
const operator: fc.Arbitrary<string> = fc.oneof(
  expression.map((e) => `where ${e}`),
  fc.tuple(expression, expression).map(([a, b]) => `extend x = ${a}, ${b}`),
  fc
    .array(expression, { minLength: 1, maxLength: 3 })
    .map((list) => `project id, ${list.map((e, at) => `v${at} = ${e}`).join(', ')}`),
  fc
    .tuple(aggregation, fc.array(expression, { maxLength: 2 }))
    .map(([a, by]) => `summarize a = ${a}${by.length > 0 ? ` by ${by.join(', ')}` : ''}`),
  fc
    .tuple(aggregation, fc.constantFrom('bin(_time, 1h)', 'bin_auto(_time)', 'bin(_time, 1h), code', 'b = bin(duration, 10)'))
    .map(([a, by]) => `summarize ${a} by ${by}`),
  expression.map((e) => `sort by ${e}, _time asc`),
  fc.constantFrom(...operators),
  fc.constantFrom(...sources),
  expression.map((e) => `mv-expand q = ${e}`),
  fc.tuple(aggregation, expression).map(([a, by]) => `make-series ${a} on _time step 6h by ${by}`),
)

test('random pipelines run or are refused', () => {
  fc.assert(
    fc.property(fc.array(operator, { minLength: 1, maxLength: 5 }), (operators) => {
      const text = ['web', ...operators].join('\n| ')
      attempt(() => compile(text, options))
    }),
    { numRuns: runs(250, 800), interruptAfterTimeLimit: 45_000, markInterruptAsFailure: false },
  )
  expect(outcome.ran).toBeGreaterThan(outcome.refused / 20)
})

test('random expressions run or are refused', () => {
  fc.assert(
    fc.property(expression, (text) =>
      attempt(() => compile(`web | extend y = ${text} | where isnotnull(y) or true | summarize count() by tostring(y)`, options)),
    ),
    { numRuns: runs(400, 1500), interruptAfterTimeLimit: 45_000, markInterruptAsFailure: false },
  )
})

test('decoded bytes that are no UTF-8 are texts too, in answers and in patterns', () => {
  for (const made of ['base64_decode_tostring(method)', "url_decode('%ff%fe')"]) {
    const plan = compile(`web | where status has ${made} or true | extend y = ${made} | summarize count() by y`, options)
    expect(engine.query(plan).length).toBeGreaterThan(0)
  }
})

test('random text is refused with a place in it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((words) => words.join(' ')),
      fc.string({ unit: 'binary', maxLength: 8 }),
      (words, noise) => {
        for (const text of [words, noise, `web | where ${noise}`, `web | where x == '${noise}'`]) {
          const found = orError(() => compile(text, options))
          if (!(found instanceof QueryError)) continue
          expect(found.span.start).toBeLessThanOrEqual(text.length)
          expect(found.line).toBeGreaterThan(0)
        }
      },
    ),
    { numRuns: runs(700, 2000) },
  )
})

test('random legacy bodies run or are refused', () => {
  const key = fc.constantFrom('op', 'field', 'value', 'children', 'alias', 'argument', 'desc', 'expr', 'caseSensitive')
  const leaf = fc.oneof(fc.constantFrom<unknown>(...values), fc.jsonValue({ maxDepth: 1 }))
  const body = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    ),
  })).any
  fc.assert(
    fc.property(
      fc.record(
        {
          filter: body,
          aggregations: body,
          groupBy: body,
          order: body,
          project: body,
          virtualFields: body,
          limit: leaf,
          resolution: leaf,
        },
        { requiredKeys: [] },
      ),
      (value) => {
        attempt(() => compileLegacy(value, 'web', options))
      },
    ),
    { numRuns: runs(1000, 1500), interruptAfterTimeLimit: 30_000, markInterruptAsFailure: false },
  )
})
