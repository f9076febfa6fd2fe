/** In answers aggregations have names that published clients know: axiom-go fails on any other. */
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { aggregateCalls, ROWS } from './support/aggregate-calls.ts'
import { options } from './support/web.ts'

/** Those of axiom-go 0.36.0, in `axiom/query/aggregation.go`. */
const KNOWN =
  `count countif distinct distinctif sum sumif avg avgif min minif max maxif topk topkif percentiles percentilesif histogram
  histogramif stdev stdevif variance varianceif argmin argmax rate makeset makesetif makelist makelistif computed
  spotlight`.split(/\s+/)

const aggOf = (aggregation: string) => compile(`${ROWS} | summarize x = ${aggregation}`, options).columns[0]?.agg

test.each(aggregateCalls())('the name of $name in answers is one that clients know', ({ plain, conditional }) => {
  expect(KNOWN).toContain(aggOf(plain)?.name)
  expect(KNOWN).toContain(aggOf(conditional)?.name)
})

test('what is computed of aggregations says so, and what is not aggregated says nothing', () => {
  expect(aggOf('dcount(city)')).toEqual({ name: 'distinct', fields: ['city'] })
  expect(aggOf('percentile(ms, 95)')).toEqual({ name: 'percentiles', fields: ['ms'], args: [95] })
  expect(aggOf('100.0 * countif(ms > 100) / sum(ms)')).toEqual({ name: 'computed', fields: ['ms'] })
  expect(aggOf('5')).toBeUndefined()
})
