/**
 * What can be queried, as the query compiler wants it: datasets with their tables and the types seen in each field, and records.
 */
import type { Catalogue, GivenRows, Dataset as QueriedDataset } from '@deployment-annotations/apl/compile'
import type { ValueLayout } from '@deployment-annotations/apl/stored-values'
import { UNSIGNED_INTEGER } from '@deployment-annotations/apl/value'
import { STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'
import { type Dataset, requireEvents } from '@deployment-annotations/event-store/datasets/dataset'
import type { Datasets } from '@deployment-annotations/event-store/datasets/datasets'
import { enginePath, typesOf, UNSIGNED } from '@deployment-annotations/event-store/fields/field'
import type { TableSpan } from '@deployment-annotations/event-store/reading/table-spans'
import { layoutName } from '@deployment-annotations/event-store/schema/field-layout'
import { givenRowsOf, type RecordSource } from './record-sources.ts'

/** Knows the spans of tables that queries may go by. */
export interface Spans {
  of(table: string): TableSpan | undefined
}

interface CatalogueParts {
  datasets: Pick<Datasets, 'list'>
  sources: readonly RecordSource[]
  /** Of the others a query is told nothing: they are not there, whatever pattern would fit them. */
  mayRead(name: string): boolean
  spans?: Spans | undefined
}

/** @returns the datasets as they are now; the fields of one are only gathered, and its table only given, when a query names it */
export function readCatalogue({ datasets, sources, mayRead, spans }: CatalogueParts): Catalogue {
  const readable = datasets.list().filter(({ name }) => mayRead(name))
  const shown = readable.map((dataset) => [dataset.name, show(dataset, spans)] as const)
  const catalogue = new Map<string, QueriedDataset | GivenRows>(shown)
  for (const source of sources) catalogue.set(source.name, givenRowsOf(source))
  return catalogue
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
  return (bits & UNSIGNED) === 0 ? types : types.add(UNSIGNED_INTEGER)
}

/** In every range. */
const NO_TIME = { startNs: STORABLE_LAST_NS, endNs: STORABLE_FIRST_NS }
