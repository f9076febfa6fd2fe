/**
 * What can be queried, as the query compiler needs it: datasets with their tables and the types seen in each field. Also what is known
 * of a table beside its fields: the times of its events, the events that were acknowledged and are still on their way to it, and fields
 * that no event of a range has.
 */
import type { Catalog, GivenRows, Dataset as QueriedDataset } from '@deployment-annotations/apl/compile'
import type { ValueLayout } from '@deployment-annotations/apl/sql/field'
import type { Doubt, Message, Plan, Statement } from '@deployment-annotations/apl/sql/plan'
import { REST_VALUE, UNSIGNED_INTEGER } from '@deployment-annotations/apl/sql/value'
import type { KnownField } from '@deployment-annotations/compare/signs'
import { STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'
import type { DamagedTable } from '@deployment-annotations/event-store/damaged-tables'
import { crowdedText, type Dataset, requireEvents } from '@deployment-annotations/event-store/datasets/dataset'
import type { Datasets } from '@deployment-annotations/event-store/datasets/datasets'
import { isDiskFailure } from '@deployment-annotations/event-store/engine/engine-failures'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { enginePath, IN_REST, typesOf, UNSIGNED } from '@deployment-annotations/event-store/fields/field'
import { listUnindexed } from '@deployment-annotations/event-store/layouts/layout-keeper'
import { isWithin, type TableSpan, type TableSpans } from '@deployment-annotations/event-store/reading/table-spans'
import { layoutName } from '@deployment-annotations/event-store/schema/field-layout'
import { findFullDisk } from '@deployment-annotations/event-store/write/write-ahead-log'
import { quoted } from '@deployment-annotations/runtime/errors'
import type { ExecutedQuery } from './execute.ts'
import type { QueryRange } from './query-request.ts'
import { givenRowsOf, type RecordSource } from './record-sources.ts'
import { createRowReader, type Rows, readColumn } from './rows.ts'

/** Knows the spans of tables that queries may go by. */
export interface Spans {
  of(table: string): TableSpan | undefined
}

interface CatalogParts {
  datasets: Pick<Datasets, 'list'>
  sources: readonly RecordSource[]
  /** Of the others a query is told nothing: they are not there, whatever pattern would fit them. */
  mayRead(name: string): boolean
  spans?: Spans | undefined
}

/** @returns the datasets as they are now; the fields of one are only gathered, and its table only given, when a query names it */
export function readCatalog({ datasets, sources, mayRead, spans }: CatalogParts): Catalog {
  const readable = datasets.list().filter(({ name }) => mayRead(name))
  const shown = readable.map((dataset) => [dataset.name, show(dataset, spans)] as const)
  const catalog = new Map<string, QueriedDataset | GivenRows>(shown)
  for (const source of sources) catalog.set(source.name, givenRowsOf(source))
  return catalog
}

/** @returns the fields that events of the dataset have, with the types seen in each */
export function listFields(dataset: Dataset | undefined): { name: string; type: string }[] {
  return [...(dataset?.fields.root.fields() ?? [])].map(({ name, types }) => ({ name, type: typesOf(types).join('|') }))
}

/** @returns what a query of the dataset can name to say what failed or how long it took: its virtual fields, then the others */
export function listQueryable(dataset: Dataset | undefined): KnownField[] {
  const virtual = dataset?.virtualFields.map(({ name }) => ({ name, type: '', isVirtual: true })) ?? []
  return [...virtual, ...listFields(dataset)]
}

function show(dataset: Dataset, spans: Spans | undefined): QueriedDataset {
  let fields: Map<string, ReadonlySet<string>> | undefined
  return {
    name: dataset.name,
    get table() {
      requireEvents(dataset)
      return dataset.table
    },
    get fields() {
      fields ??= new Map([...dataset.fields.root.fields()].map(({ name, types }) => [name, typesForQueries(types)]))
      return fields
    },
    get hasUnlisted() {
      return dataset.fields.hasUnlisted
    },
    pathOf: enginePath,
    get span() {
      const known = spans?.of(dataset.table)
      return known && (known.span ?? NO_TIME)
    },
    get virtualFields() {
      return new Map(dataset.virtualFields.map(({ name, expression }) => [name, expression]))
    },
    layoutOf: (field) => layoutForQueries(dataset, field),
  }
}

/** Indexes over values need no words of a query: the engine uses them where it can. */
function layoutForQueries({ layouts }: Dataset, field: string): ValueLayout | undefined {
  const kind = layouts.get(field)
  if (kind === undefined || kind === 'values') return undefined
  return kind === 'words' ? kind : { column: layoutName({ path: enginePath(field), kind }) }
}

/** Integers from 2^63 on are a type of their own to the compiler, which then reads the field in a form that sees them. */
function typesForQueries(bits: number): ReadonlySet<string> {
  const types = new Set<string>(typesOf(bits))
  if ((bits & UNSIGNED) !== 0) types.add(UNSIGNED_INTEGER)
  return (bits & IN_REST) === 0 ? types : types.add(REST_VALUE)
}

/** In every range. */
const NO_TIME = { startNs: STORABLE_LAST_NS, endNs: STORABLE_FIRST_NS }

/** The spans of tables that one query goes by. */
export interface QuerySpans extends Spans {
  /** Whether they are so still. */
  areCurrent(): boolean
}

/** @param spans absent where nothing is to be gone by */
export function spansWithin(range: QueryRange, spans?: TableSpans): QuerySpans {
  const used: TableSpan[] = []
  return {
    of(table) {
      const span = spans?.of(table)
      if (span && isWithin(span, range)) used.push(span)
      return span
    },
    areCurrent: () => used.every((span) => spans?.isCurrent(span)),
  }
}

/** @returns the tables of the datasets that a query reads, which rows of records have none of. @throws as {@link requireEvents} */
export function tablesOf(names: readonly string[], datasets: Pick<Datasets, 'find'>): string[] {
  return names.flatMap((name) => {
    const dataset = datasets.find(name)
    if (dataset) requireEvents(dataset)
    return dataset?.table ?? []
  })
}

/** @returns the plan, with a message for each dataset whose members are not all fields, or of which events are lost */
export function withNotices(plan: Plan, { datasets, damaged }: Pick<EventStore, 'datasets' | 'damaged'>): Plan {
  const crowded = plan.datasets.flatMap((name) => datasets.find(name) ?? []).filter(({ fields }) => fields.isCrowded)
  const lossy = damaged.list().filter(({ dataset }) => plan.datasets.includes(dataset))
  const messages = [
    ...crowded.map((dataset): Message => ({ code: 'many_fields', text: crowdedText(dataset) })),
    ...lossy.map((table): Message => ({ code: 'lost_events', text: lossText(table) })),
  ]
  return { ...plan, messages: [...plan.messages, ...messages] }
}

/** What is lost stays so, and what is asked may have nothing to do with it: the answer is whole as far as there are events. */
function lossText({ dataset, rows }: DamagedTable): string {
  const lost = rows > 0 ? `${rows.toLocaleString('en-US')} events` : 'events'
  return `${lost} of the dataset ${quoted(dataset)} are lost: their files are broken or gone; the log of the service names them`
}

/**
 * Nothing is matched, or one row of figures lacks some, or has sums of nothing: each may be so because no event has a field that the query names.
 * @param read the number that a statement answers
 */
export async function withAbsentFields(
  plan: Plan,
  { rows, rowsMatched }: Pick<ExecutedQuery, 'rows' | 'rowsMatched'>,
  read: (statement: Statement) => Promise<number>,
): Promise<Plan> {
  const first = plan.kind === 'table' && rows.count === 1 ? await rows.result.first() : undefined
  const mayLack = first !== undefined && createRowReader(plan)(first).values.some((cell) => cell === 'null' || cell === '0')
  const presence = rowsMatched === 0 || mayLack ? plan.presence() : undefined
  if (!presence) return plan
  const seen = await read(presence)
  const isThere = (bit: number) => Math.floor(seen / bit) % 2 === 1
  const absent = presence.fields.filter(({ bit }) => !isThere(bit))
  const messages = absent.map(({ name, near }): Message => {
    const what = `no event of the time range has the field "${name}"`
    if (!near || !isThere(near.bit))
      return { code: 'unknown_field', text: `${what}: take a longer range, or look for its name with | getschema` }
    const { suggestion } = near
    return {
      code: 'unknown_field',
      text: `${what}: did you mean "${near.name}"?`,
      ...(suggestion !== undefined && { suggestion }),
    }
  })
  return { ...plan, messages: [...plan.messages, ...messages] }
}

/** @returns the plan, with what is said only of rows like these */
export async function withDoubts(plan: Plan, { result }: Rows): Promise<Plan> {
  const computed = plan.doubts.length === 0 ? [] : plan.columns.flatMap(({ cell }, column) => (cell === undefined ? [] : column))
  const shown = new Set<Doubt>()
  for (const column of computed) {
    const cells = await readColumn(result, plan, column)
    for (const doubt of plan.doubts) if (doubt.isShownBy(cells)) shown.add(doubt)
  }
  return { ...plan, messages: [...plan.messages, ...[...shown].map(({ code, text }) => ({ code, text }))] }
}

/** A query that takes as long, and looks at as many events, is worth a column or an index. */
const SLOW = { ms: 1_000, rows: 100_000 } as const

/** @returns the fields that a slow query names and that it reads out of the events, because they have neither a column nor an index */
export function findUnindexed(plan: Plan, elapsedMs: number, rowsExamined: number, datasets: Pick<Datasets, 'find'>) {
  if (elapsedMs < SLOW.ms || rowsExamined < SLOW.rows) return []
  const named = new Set(plan.presence()?.fields.map(({ name }) => name))
  const read = plan.datasets.flatMap((name) => datasets.find(name) ?? [])
  const fields = read.flatMap((dataset) => listUnindexed(dataset).map((field) => ({ dataset: dataset.name, field })))
  return fields.filter(({ field }) => named.has(field))
}

const FULL =
  'the disk of the service is full: events that were sent just before may be missing here until there is disk space again; none of them is lost'
const FAILED =
  'the disk of the service has failed, or was made read-only: events that were sent just before may be missing here until it works again; they are in the write-ahead log'

/**
 * @returns what to tell a reader of these datasets, where some of their events cannot be found now
 * @throws ServiceError `unavailable` where they cannot be put in their place for another reason
 */
export async function settleOrTell(events: Pick<EventStore, 'settle'>, datasets: readonly string[]): Promise<string | undefined> {
  try {
    await events.settle(datasets)
    return undefined
  } catch (error) {
    if (findFullDisk(error)) return FULL
    if (isDiskFailure(error)) return FAILED
    throw error
  }
}
