/**
 * All shapes of queries that are measured, and tested to mean the same as their SQL.
 * Deliberately not here: the shapes themselves.
 */
import { ARRAYS } from './arrays.ts'
import { COMPUTED } from './computed.ts'
import { FILTERS } from './filters.ts'
import { GROUPS } from './groups.ts'
import { ROWS } from './rows.ts'
import type { Shape } from './shape.ts'

export const SHAPES: readonly Shape[] = [...FILTERS, ...GROUPS, ...COMPUTED, ...ARRAYS, ...ROWS]
