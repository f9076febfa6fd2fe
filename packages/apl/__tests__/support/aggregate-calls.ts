/** Calls of every aggregation, made of its example. */
import { AGGREGATES } from '../../src/functions/aggregates.ts'

export const ROWS = "datatable (city: string, ms: long) ['Oslo', 120, 'Oslo', 80, 'Rome', 340]"

/** @returns for each aggregation a call of it, and one of its form with a condition */
export function aggregateCalls(): { name: string; plain: string; conditional: string }[] {
  return Object.entries(AGGREGATES).map(([name, { example }]) => {
    // Without a part that is taken of it, or a function around it.
    const shown = example?.call.replace(/\[.*$/, '') ?? ''
    const plain = shown.startsWith('round(') ? `${name}(ms)` : shown
    return { name, plain, conditional: plain.replace('(', 'if(').replace(/(\()?\)$/, (_end, open = ', ') => `${open}ms > 100)`) }
  })
}
