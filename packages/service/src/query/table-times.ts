/**
 * Plans that go by what is known of tables: an interval that holds all events of a table is no condition on them. What was known may
 * have changed until the plan has run, and is asked for then.
 */
import type { Plan } from '@deployment-annotations/apl/plan'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { isWithin, type TableSpan, type TableSpans } from '@deployment-annotations/event-store/reading/table-spans'
import type { Spans } from './catalogue.ts'
import { answeringQueryErrors } from './query-errors.ts'
import type { QueryRange } from './time-range.ts'

/** @param spans those of tables that the plan may go by */
export type Compile = (spans: Spans) => Plan

export interface Compiled {
  plan: Plan
  /** Those that it reads. */
  tables: readonly string[]
  /** How many rows these have, where it is known. */
  rowsThere: number | undefined
  /** Whether what the plan goes by is still so. */
  isCurrent(): boolean
}

interface CompileParts {
  compile: Compile
  range: QueryRange
  datasets: Pick<EventStore['datasets'], 'find'>
  /** Absent where nothing is known, or nothing is to be gone by. */
  spans: TableSpans | undefined
  /** As that of {@link answeringQueryErrors}. */
  onAbsent(dataset: string): void
}

/** @throws ServiceError `query` */
export function compileWith({ compile, range, datasets, spans, onAbsent }: CompileParts): Compiled {
  const used: TableSpan[] = []
  const noting: Spans = {
    of(table) {
      const span = spans?.of(table)
      if (span && isWithin(span, range)) used.push(span)
      return span
    },
  }
  const plan = answeringQueryErrors(() => compile(noting), onAbsent)
  const tables = plan.datasets.flatMap((name) => datasets.find(name)?.table ?? [])
  const known = tables.map((table) => spans?.of(table)?.rows)
  const rowsThere = known.reduce((sum, rows) => (sum === undefined || rows === undefined ? undefined : sum + rows), 0)
  return { plan, tables, rowsThere, isCurrent: () => used.every((span) => spans?.isCurrent(span)) }
}
