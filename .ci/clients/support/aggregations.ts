/** Prints a query on each line: of each aggregation one alone, one with a condition and by time, and one inside an expression. */
import { aggregateCalls, ROWS } from '../../../packages/apl/__tests__/support/aggregate-calls.ts'

for (const { plain, conditional } of aggregateCalls()) {
  console.log(`${ROWS} | summarize x = ${plain}`)
  console.log(`${ROWS} | extend _time = now() | summarize x = ${conditional} by bin(_time, 1h), city`)
  console.log(`${ROWS} | summarize x = tostring(${plain})`)
}
console.log(`${ROWS} | summarize x = 5 by city`)
