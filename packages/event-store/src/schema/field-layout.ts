/**
 * The columns and indexes for single fields, which let queries find or group them sooner: a column of a field's values, an index over
 * its values, or one over its words. The embedded engine and a server have the same statements. Everything is computed from `data`,
 * which stays the source: a part without them is read as if it had them, and a value of another type is only in `data`.
 * Deliberately not here: running the statements, choosing, and clusters, whose tables have none of these.
 * - A column of few texts stores numbers into a dictionary: the paths of 2 million events are grouped in a fifth of the time. One of
 *   few whole numbers takes half the room of the values in the events, and is read in a third of the time.
 * - A bloom filter answers `==` and `in` of values such as trace ids; 0.005 false positives are 11 bits a value, and 0.001 were 14.
 * - The index of words lists the rows of each word, and answers `has` and `contains` by itself.
 * - Merges do not build indexes, because each would build that of words again, at 3 µs a row; neither do inserts (EVENT_SETTINGS). They
 *   are built afterwards (`buildLayouts`), in the parts that have none, which have no bytes of indexes.
 */
import { createHash } from 'node:crypto'
import { lowered, storedInteger, storedText } from '@deployment-annotations/apl/sql/field'
import { quoteName } from '@deployment-annotations/apl/sql/quoting'
import { tableName } from './event-table.ts'

/**
 * `column` is a column of few distinct texts, and `codes` one of few distinct whole numbers, such as a status; `values` is an index
 * over many distinct texts, and `words` one over the words of long texts.
 */
export type LayoutKind = 'column' | 'codes' | 'values' | 'words'

export interface FieldLayout {
  /** The path in the column `data`. */
  path: string
  kind: LayoutKind
}

/** @returns the name of the column or index, which is always the same */
export function layoutName({ path, kind }: FieldLayout): string {
  return `${kind}_${createHash('sha256').update(path).digest('hex').slice(0, 16)}`
}

/** Whether a field at this path may have a column or an index. */
export function mayHaveLayout(path: string): boolean {
  return storedText(path) !== undefined
}

/** @returns the statements that add it to the table, in order; they may be repeated */
export function addLayout(table: string, layout: FieldLayout): string[] {
  const name = tableName(table)
  const noMerges = `ALTER TABLE ${name} MODIFY SETTING materialize_skip_indexes_on_merge = 0`
  return [...(isColumn(layout.kind) ? [] : [noMerges]), `ALTER TABLE ${name} ${addition(layout)}`]
}

function addition(layout: FieldLayout): string {
  const [text, integer] = [storedText(layout.path), storedInteger(layout.path)]
  if (text === undefined || integer === undefined)
    throw new Error(`nothing can be kept of the field at ${JSON.stringify(layout.path)}`)
  const name = quoteName(layoutName(layout))
  switch (layout.kind) {
    case 'column':
      return `ADD COLUMN IF NOT EXISTS ${name} LowCardinality(Nullable(String)) MATERIALIZED ${text} CODEC(ZSTD(1))`
    case 'codes':
      return `ADD COLUMN IF NOT EXISTS ${name} LowCardinality(Nullable(Int64)) MATERIALIZED ${integer} CODEC(ZSTD(1)) SETTINGS ${DICTIONARIES_OF_NUMBERS}`
    case 'values':
      return `ADD INDEX IF NOT EXISTS ${name} ${text} TYPE bloom_filter(0.005) GRANULARITY 1`
    case 'words':
      return `ADD INDEX IF NOT EXISTS ${name} ${lowered(text)} TYPE text(tokenizer = splitByNonAlpha, posting_list_codec = 'bitpacking')`
    default:
      return layout.kind satisfies never
  }
}

/**
 * @param sync whether the statement waits until everything is built, rather than only starting it
 * @returns the statement that builds them from existing rows; the engine continues by itself, even after a restart
 */
export function buildLayouts(table: string, names: readonly string[], sync = false): string {
  const made = names.map((name) => `MATERIALIZE ${isColumn(kindOf(name)) ? 'COLUMN' : 'INDEX'} ${quoteName(name)}`)
  return `ALTER TABLE ${tableName(table)} ${made.join(', ')} SETTINGS mutations_sync = ${sync ? 2 : 0}`
}

/** @returns the statement that drops it; no query may name a column by then */
export function dropLayout(table: string, name: string): string {
  const what = isColumn(kindOf(name)) ? 'COLUMN' : 'INDEX'
  return `ALTER TABLE ${tableName(table)} DROP ${what} IF EXISTS ${quoteName(name)} SETTINGS mutations_sync = 0`
}

/** @param name as {@link layoutName} makes it */
export function kindOf(name: string): LayoutKind {
  return name.slice(0, name.indexOf('_')) as LayoutKind
}

/** Whether it is a column, which new rows have at once, and not an index. */
export function isColumn(kind: LayoutKind): boolean {
  return kind === 'column' || kind === 'codes'
}

/** Without this setting the engine refuses a dictionary of numbers, which is slow if there are many. */
export const DICTIONARIES_OF_NUMBERS = 'allow_suspicious_low_cardinality_types = 1'

/** A regular expression for the engine that matches the names of the columns and indexes made here. */
export const LAYOUT_NAMES = '^(column|codes|values|words)_[0-9a-f]{16}$'
