/**
 * `spotlight`: in which fields the selected rows differ from the others. Each field is an object in the answer, the one that differs most
 * first, and each of its values has its counts on both sides. The names are those that published scripts read.
 * Deliberately not here: charts of it, and words about it.
 */
import { mismatch } from '../error.ts'
import { json, ofReal, realOf, type Value } from '../sql/value.ts'
import { dottedName } from '../tree/expression-name.ts'
import { aggregate, call } from './aggregation.ts'
import { naming } from './series.ts'

/** Of more values the most frequent are compared. */
const COMPARED = 256
/** Numbers of more values than this are compared by their first digit: 512 as 500. */
const FEW = 20
/** The values that are shown of a field: those whose shares differ most. */
const SHOWN = 10
const FOUND =
  'Array(Tuple(dimension String, delta_score Float64, differences Array(Tuple(value String, frequency_ratio Float64, comparison_count UInt64, baseline_count UInt64))))'

/** A number as one of the same size that has one digit alone. */
const firstDigit = (x: string) => `round(${x}, -toInt16(floor(log10(abs(${x}) + (${x} = 0)))))`

/** Counts by key on both sides: of two arrays of `(key, count, error)` three arrays, of which the first has the keys. */
const BESIDE =
  "arrayReduce('sumMap', [s.1, r.1], [arrayMap(t -> t.2 - t.3, s), arrayMap(t -> 0, r)], [arrayMap(t -> 0, s), arrayMap(t -> t.2 - t.3, r)])"

export const spotlight = aggregate('selected:truth field:any more:any*', (invocation, selected, ...values) => {
  const { nodes, name, context, condition = 'true' } = invocation
  const isSelected = (selected as Value).as('truth')
  const sides = [isSelected, `NOT ${isSelected}`].map((side) => ({ ...invocation, condition: `${side} AND ${condition}` }))
  const [n, m] = sides.map((side) => call(side, 'count', '')) as [string, string]
  const dimensions = values.map((value, at) => {
    const node = nodes[at + 1] as (typeof nodes)[number]
    const field = dottedName(node)
    if (field === undefined) throw mismatch(`${name}() compares fields`, node.span, 'compute it with extend before')
    const countsOf = ({ as }: Value) => {
      const text = `ifNull(${as('text')}, 'null')`
      const [s, r] = sides.map((side) => call(side, 'topK', text, [`${COMPARED}`, '4', "'counts'"])) as [string, string]
      return naming({ s, r }, BESIDE)
    }
    const few = `${call(invocation, 'uniqUpTo', realOf(value), [`${FEW}`])} <= ${FEW}`
    const counts = /^(?:integer|real|timespan)$/.test(value.kind)
      ? `if(${few}, ${countsOf(value)}, ${countsOf(ofReal(value, firstDigit(realOf(value))))})`
      : countsOf(value)
    const shares = 'arrayMap((k, a, b) -> (k, a / n, b / m, a, b), c.1, c.2, c.3)'
    const shown = `arraySlice(arraySort(t -> (-abs(t.2 - t.3), t.1), rows), 1, ${SHOWN})`
    // 1 where only the selected rows have the value, and -1 where only the others have it.
    const differences = `arrayMap(t -> (t.1, round((t.2 - t.3) / greatest(t.2, t.3), 6), t.4, t.5), ${shown})`
    const compared = `(${context.binder.text(field)}, round(arraySum(t -> abs(t.2 - t.3), rows) / 2, 6), ${differences})`
    return naming({ c: counts, n, m }, naming({ rows: shares }, compared))
  })
  // Without two sides there is nothing to compare.
  const found = `if(${n} = 0 OR ${m} = 0, [], [${dimensions.join(', ')}])`
  return json(`toJSONString(CAST(arraySort(d -> (-d.2, d.1), ${found}), '${FOUND}'))`, 'array')
})
