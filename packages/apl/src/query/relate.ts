/**
 * What a query is compiled with, and the rows that it has before its last SELECT is finished.
 * Deliberately not here: limits, cursors and the plan; see `finish.ts`.
 */
import type { Relation } from '../sql/relation.ts'
import type { QueryTree } from '../tree/ast.ts'
import type { ContextSettings, TimeRange } from '../values/context.ts'
import { type Catalog, Emitter } from './emit.ts'
import { resolve, type Variables } from './resolve.ts'

/** A place among the rows of a query: a row, and whether the page includes it. */
export interface Cursor {
  readonly timeNs: bigint
  readonly row: bigint
  readonly inclusive: boolean
}

export interface CompileOptions {
  readonly datasets: Catalog
  readonly range: TimeRange
  /** What `now()` is. */
  readonly nowNs: bigint
  /** Where to go on, in the direction that the query's order gives. */
  readonly cursor?: Cursor | undefined
  readonly defaultLimit?: number | undefined
  readonly limitMax?: number | undefined
  readonly variables?: Variables | undefined
  /** Bin size of `bin_auto`, or one bin of the whole range, as a monitor compares it; chosen from the range where absent. */
  readonly resolutionNs?: bigint | 'range' | undefined
  /** Whether a statement that groups also says how many rows it grouped, so that `count` need not be run. */
  readonly countsMatched?: boolean | undefined
  /** Whether nobody reads the totals of time bins. */
  readonly areBinsEnough?: boolean | undefined
}

/** The rows of a query, before the last SELECT is finished. */
export interface Related {
  readonly relation: Relation
  readonly emitter: Emitter
  /** Datasets read. */
  readonly read: readonly string[]
}

export function relate(
  query: QueryTree,
  options: CompileOptions,
  more: Pick<ContextSettings, 'ranksGroups' | 'binder' | 'states'> = {},
): Related {
  const { datasets, range, nowNs, resolutionNs, variables = {} } = options
  const resolved = resolve(query, datasets.keys(), variables)
  const emitter = new Emitter(datasets, { range, nowNs, resolutionNs, ...more })
  return { relation: emitter.query(resolved), emitter, read: resolved.datasets }
}
