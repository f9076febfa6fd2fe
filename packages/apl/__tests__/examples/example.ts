/**
 * One documented example: a query and the rows that a page prints for it. What the page shows of the input is stored, the query is
 * run over it, and what it computes is compared with what is printed.
 * Deliberately not here: printing a report.
 */

import { type CompileOptions, compileTree, type Dataset } from '../../src/compile.ts'
import { QueryError } from '../../src/error.ts'
import { parseQuery } from '../../src/query/parser.ts'
import type { Plan } from '../../src/sql/plan.ts'
import type { Expression, Named, Pipeline, QueryTree } from '../../src/tree/ast.ts'
import { impliedName } from '../../src/tree/expression-name.ts'
import { type Engine, fieldsOf, readRows, type StoredEvent } from '../support/engine.ts'
import { ANYTHING, catalogueFor } from '../support/mentioned.ts'
import { type Likeness, likenessOf, storedOf, timeNsOf, unmarked } from './cells.ts'
import { type Decision, decisionOn } from './decisions.ts'

/** As the file of examples has it. */
export interface Example {
  readonly page: string
  readonly apl: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What came of one example: a kind to count by, and what is to be said of it. */
export interface Verdict {
  readonly agrees: boolean
  readonly reason: string
  readonly detail: string
  /** Why it differs; absent where it agrees, or where nobody has decided yet. */
  readonly decided?: Decision
}

const NOW_NS = 1_767_225_600_000_000_000n
const MINUTE_NS = 60_000_000_000n
const DAY_NS = 1_440n * MINUTE_NS
/** Operators after which a row of the answer is no longer one of the input. */
const REGROUPING = new Set(['summarize', 'count', 'distinct', 'make-series', 'join', 'union', 'mv-expand', 'sample', 'getschema'])

let tables = 0

export async function tryExample(example: Example, engine: Engine): Promise<Verdict> {
  const verdict = await compareExample(example, engine)
  const decided = verdict.agrees ? undefined : decisionOn(example, verdict)
  return decided ? { ...verdict, decided } : verdict
}

async function compareExample(example: Example, engine: Engine): Promise<Verdict> {
  try {
    const tree = parseQuery(example.apl)
    const isRowWise = !tree.pipeline.operators.some(({ kind }) => REGROUPING.has(kind))
    return isRowWise ? await tryRows(example, tree, engine) : tryColumns(example, tree)
  } catch (error) {
    if (error instanceof QueryError || (error instanceof Error && 'code' in error)) return refused(error)
    throw error
  }
}

function refused(error: Error): Verdict {
  const [, what] = /(function '[^']+'|operator "[^"]+"|"[^"]+") (?:not found|is not supported)/.exec(error.message) ?? []
  const field = /invalid field: "([^"]+)"/.exec(error.message)?.[1]
  if (field !== undefined) return differs('a field that the page does not show', field)
  return what === undefined ? differs('refused', error.message.slice(0, 160)) : differs('not supported', what)
}

const differs = (reason: string, detail: string): Verdict => ({ agrees: false, reason, detail })

/** Of a query that groups only the columns can be compared: the rows behind its figures are not on the page. */
function tryColumns({ columns }: Example, tree: QueryTree): Verdict {
  const expected = columns.map(nameOfHead)
  // What the query does not compute may be a field of the events.
  const datasets = new Map(
    [...catalogueFor(tree)].map(([name, dataset]) => {
      const fields = new Map(dataset.fields)
      for (const head of expected) if (!isSystem(head)) fields.set(head, ANYTHING)
      return [name, { ...dataset, fields }]
    }),
  )
  const plan = compileTree(tree, { datasets, range: { startNs: NOW_NS - DAY_NS, endNs: NOW_NS }, nowNs: NOW_NS })
  const found = plan.columns.map(({ name }) => name)
  const absent = expected.filter((name) => !found.includes(name))
  const why = 'their figures come from rows that the page does not show'
  if (absent.length === 0)
    return {
      agrees: true,
      reason: `columns${found.length > expected.length ? ', of which some are printed' : ''}; ${why}`,
      detail: '',
    }
  const detail = `printed ${expected.join(', ')}; found ${found.join(', ')}`
  const unnamed = plan.columns.filter(
    ({ name, agg }) => agg && name.endsWith(`_${agg.fields[0] ?? ''}`) && !expected.includes(name),
  )
  return differs(unnamed.length >= absent.length ? 'a name that the query does not give' : 'other columns', detail)
}

const isSystem = (name: string) => name === '_time' || name === '_sysTime'
const nameOfHead = (head: string) => unmarked(head).replace(/^\['(.*)'\]$/, '$1')

async function tryRows(example: Example, tree: QueryTree, engine: Engine): Promise<Verdict> {
  const heads = example.columns.map(nameOfHead)
  const computed = computedNames(tree.pipeline)
  const isShown = (name: string) => [...heads, ...computed].some((known) => name === known || name.startsWith(`${known}.`))
  const hidden = [...mentionedIn(tree)].filter((name) => !isShown(name))
  const { options, dataset, events } = worldOf(example, heads, computed, hidden)
  const plan = compileTree(withoutFilters(tree, new Set(hidden)), options)
  await engine.load(dataset, events)
  const found = readRows(plan, engine.query(plan))
  const verdict = compareRows(example, { heads, computed, plan, found })
  if (hidden.length === 0 || (verdict.agrees && verdict.reason.startsWith('rows'))) return verdict
  return verdict.agrees
    ? { ...verdict, reason: `${verdict.reason}; without filters on fields that the page does not show` }
    : differs('a field that the page does not show', `${hidden.join(', ')} (${verdict.detail})`)
}

const mentionedIn = (tree: QueryTree): Set<string> =>
  new Set([...catalogueFor(tree).values()].flatMap(({ fields }) => [...fields.keys()]))

/** What a page does not show cannot be filtered by. */
function withoutFilters(tree: QueryTree, hidden: ReadonlySet<string>): QueryTree {
  const operators = tree.pipeline.operators.filter(
    (operator) =>
      operator.kind !== 'where' ||
      ![...mentionedIn({ ...tree, lets: [], pipeline: { ...tree.pipeline, operators: [operator] } })].some((name) =>
        hidden.has(name),
      ),
  )
  return { ...tree, pipeline: { ...tree.pipeline, operators } }
}

/** Names that the query itself gives a value to. */
function computedNames({ operators }: Pipeline): Set<string> {
  const named = operators.flatMap((operator): readonly Named[] =>
    operator.kind === 'extend' || operator.kind === 'project' ? operator.columns : [],
  )
  const parsed = operators.flatMap((operator) =>
    operator.kind === 'parse' ? operator.parts.map(({ column }) => column ?? '') : [],
  )
  return new Set([
    ...named
      .filter(({ name, expression }) => name !== undefined && name !== impliedName(expression) && !asksForField(expression))
      .map(({ name }) => name as string),
    ...parsed,
  ])
}

/** `ensure_field('a', …)` and `column_ifexists('a', …)` show a field under its name. */
const asksForField = (expression: Expression) =>
  expression.kind === 'call' && (expression.name === 'ensure_field' || expression.name === 'column_ifexists')

/** The columns that are not computed are the input; what the page does not show is missing from it. */
function worldOf({ apl, rows }: Example, heads: readonly string[], computed: ReadonlySet<string>, hidden: readonly string[]) {
  const table = `ds_example_${tables++}`
  const events = rows.map((row, at): StoredEvent => {
    const data: Record<string, unknown> = {}
    let timeNs = NOW_NS - BigInt(at + 1) * MINUTE_NS
    heads.forEach((head, column) => {
      const printed = row[column] ?? ''
      if (head === '_time') timeNs = timeNsOf(unmarked(printed)) ?? timeNs
      else if (!computed.has(head)) place(data, head, storedOf(printed))
    })
    return { timeNs, data }
  })
  const fields = fieldsOf(events)
  const isInput = (head: string) => !isSystem(head) && !computed.has(head)
  for (const name of [...heads.filter(isInput), ...hidden]) if (!fields.has(name)) fields.set(name, new Set(ANYTHING))
  const names = [...catalogueFor(parseQuery(apl)).keys()]
  const dataset: Dataset = { name: names[0] ?? 'none', table, fields }
  const datasets = new Map(names.map((name) => [name, { ...dataset, name }]))
  const options: CompileOptions = { datasets, range: { startNs: -NOW_NS, endNs: 2n * NOW_NS }, nowNs: NOW_NS }
  return { options, dataset, events }
}

/** `a.b` is stored as a nested object. */
function place(data: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) return
  const keys = name.split('.')
  const last = keys.pop() as string
  let inner = data
  for (const key of keys) {
    const next = inner[key]
    inner[key] = typeof next === 'object' && next !== null ? next : {}
    inner = inner[key] as Record<string, unknown>
  }
  inner[last] = value
}

interface Answer {
  readonly heads: readonly string[]
  readonly computed: ReadonlySet<string>
  readonly plan: Plan
  readonly found: readonly Record<string, unknown>[]
}

function compareRows({ rows }: Example, { heads, computed, plan, found }: Answer): Verdict {
  const names = new Set(plan.columns.map(({ name }) => name))
  const absent = heads.filter((head) => !names.has(head))
  if (absent.length > 0) return differs('other columns', `printed ${absent.join(', ')}; found ${[...names].join(', ')}`)
  const shown = heads.map((head, column) => ({ head, column })).filter(({ head }) => computed.has(head))
  if (shown.length === 0 && found.length === rows.length) return { agrees: true, reason: 'rows; nothing is computed', detail: '' }
  if (found.length !== rows.length) return differs('other rows', `printed ${rows.length}; found ${found.length}`)
  const all: Likeness[] = []
  for (const row of rows) {
    // The row that looks most like the printed one, the columns that were stored included.
    const alike = found.map((other) => heads.map((head, column) => likenessOf(row[column] ?? '', other[head])))
    const best = alike.reduce((one, other) => (missesOf(other) < missesOf(one) ? other : one))
    for (const { head, column } of shown) {
      const likeness = best[column]
      const value = JSON.stringify(found[alike.indexOf(best)]?.[head])
      if (!likeness) return differs('other values', `${head}: printed ${row[column]?.slice(0, 60)}; found ${value.slice(0, 80)}`)
      all.push(likeness)
    }
  }
  const loosest = (['written otherwise', 'rounded'] as const).find((one) => all.includes(one))
  return { agrees: true, reason: `values${loosest ? `, ${loosest}` : ''}`, detail: '' }
}

const missesOf = (likenesses: readonly (Likeness | undefined)[]) => likenesses.filter((one) => one === undefined).length
