/**
 * What the compiler hands back: statements, and how to read their rows.
 * Deliberately not here: running them, and the shape of HTTP answers.
 */
import type { Unit } from '@deployment-annotations/contract/unit'
import type { ParameterValue } from './quoting.ts'

/** The code that published clients know this message by. */
export const ALWAYS_TRUE = 'apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata_1'

/** Something the author should know though the query runs; goes to `status.messages`. */
export interface Message {
  readonly code:
    | 'default_limit_warning'
    | 'limit_capped'
    | 'likely_mistake'
    | 'lost_events'
    | 'many_fields'
    | 'never_true'
    | 'quotient_changed'
    | 'unknown_field'
    | typeof ALWAYS_TRUE
  readonly text: string
  /** The whole query as it was probably meant, where that is known. */
  readonly suggestion?: string
}

/** A message about an answer only where one of its computed columns has a sign of it. */
export interface Doubt extends Message {
  /** @param cells of a column, as JSON text */
  readonly isShownBy: (cells: readonly string[]) => boolean
}

/** How a column was aggregated, for the answer. */
export interface Aggregation {
  /** As published clients know it: `distinct` for `dcount`, `computed` for an expression. */
  readonly name: string
  readonly fields: readonly string[]
  /** Its constant arguments, such as the size of `topk(city, 5)`; absent where it has none. */
  readonly args?: readonly (string | number | boolean)[]
}

export interface PlanColumn {
  readonly name: string
  /** `datetime string integer float boolean array timespan map[string] unknown`, unions joined by `|`. A timespan is a number of nanoseconds. */
  readonly type: string
  /** Position of its cell in a row of the result; absent: the value is in the `data` cell, under this (dotted) name. */
  readonly cell?: number
  /** How the cell is read: `plain` as it is, `json`: a string holding JSON text. Absent with `cell`. */
  readonly encoding?: 'plain' | 'json'
  /** What its numbers count, where that is known. */
  readonly unit?: Unit
  /** How it was aggregated. */
  readonly agg?: Aggregation
}

/** A statement whose rows are arrays of cells (`JSONCompactEachRow`). */
export interface Statement {
  readonly sql: string
  readonly params: Readonly<Record<string, ParameterValue>>
  /** Rows of sources that no table has, as JSON text, by the names of their constants. Added by who runs the statement. */
  readonly constants?: Readonly<Record<string, Buffer>>
}

export interface Plan extends Statement {
  /** `rows`: each row is a stored event (or what is left of one). `table`: computed rows. */
  readonly kind: 'rows' | 'table'
  readonly columns: readonly PlanColumn[]
  /** Cells that belong to no column. `time` and `row` are the row's place, for cursors; `data` is the whole event, nested; `matched`, the same in every row, is what `count` would say. */
  readonly cells: { readonly time?: number; readonly row?: number; readonly data?: number; readonly matched?: number }
  /** Fields of the events that are not part of the answer. */
  readonly hidden?: readonly string[]
  /** Whether `data` is the answer as it is: no field was taken away, renamed or computed. */
  readonly wholeEvents: boolean
  /** One row, one cell: how many rows the query matches, whatever the cursor and the limit. */
  readonly count: Statement
  /** Most rows that will come. */
  readonly limit: number
  readonly order: readonly { readonly field: string; readonly desc: boolean }[]
  /** Which way a cursor moves; absent where this query cannot be paged. */
  readonly paging?: 'ascending' | 'descending'
  /** Columns grouped by, that of the time bins among them. */
  readonly groups: readonly { readonly name: string }[]
  /** The column of time bins. */
  readonly buckets?: { readonly field: string; readonly sizeNs: bigint }
  /** With `buckets`: the same without the time bins. */
  readonly totals?: Statement & { readonly columns: readonly PlanColumn[] }
  /** With `totals`, where one look at the rows does for both. */
  readonly together?: Together
  /** With `totals`, where the rows of whole bins may be looked at apart from each other. */
  readonly inStates?: () => InStates | undefined
  /** Datasets read, as named in the catalog. */
  readonly datasets: readonly string[]
  readonly messages: readonly Message[]
  readonly doubts: readonly Doubt[]
  /** Whether the query itself says which times it looks at. */
  readonly boundsTime: () => boolean
  /** The query with a bound of its own on the times that it looks at; absent where it is not written as a text. */
  readonly bounded?: () => string | undefined
  /** Asks which of the stored fields that the query names have a value in its range; worth asking where nothing was matched. */
  readonly presence: () => Presence | undefined
}

/** The rows of a plan and of its totals in one statement. In its first cell a row of the plan has 0, one of the totals 1. */
export interface Together extends Statement {
  readonly columns: readonly PlanColumn[]
  readonly cells: Plan['cells']
  /** The columns of the totals. */
  readonly totals: readonly PlanColumn[]
  /** The totals are one group of everything; it is missing here where there are no rows at all. */
  readonly hasOneTotal: boolean
}

/**
 * A query by bins of time alone, in two steps: the states of each bin, and the rows of the plan and of its totals made of those. Its `sql`
 * reads from what `STATES` stands for, which has the bin under the name `_time`.
 */
export interface InStates extends Together {
  /** Equal for queries whose states are the same, whatever their range. */
  readonly key: string
  /** The table that is read. */
  readonly table: string
  /** The width of the bins, which begin at multiples of it since 1970. */
  readonly sizeNs: bigint
  /** The states of rows that meet these conditions too, as SQL: a column `bin`, and one for each state. */
  readonly states: (conditions: readonly string[]) => string
}

/** One row, one cell: a number that has the bit of each field that some event has. */
interface Presence extends Statement {
  readonly fields: readonly {
    readonly name: string
    readonly bit: number
    /** A field of nearly the same name, and the query with it. */
    readonly near?: { readonly name: string; readonly bit: number; readonly suggestion?: string }
  }[]
}
