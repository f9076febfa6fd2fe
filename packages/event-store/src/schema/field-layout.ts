/**
 * The columns and indexes for single fields, which let queries find or group them sooner: a column of a field's values, an index over
 * its values, or one over its words. The embedded engine and a server have the same statements. Everything is computed from `data`,
 * which stays the source: a part without them is read as if it had them, and a value of another type is only in `data`.
 * Deliberately not here: running the statements, choosing, and clusters, whose tables have none of these.
 * - A column of few texts stores numbers into a dictionary: of a million events the hosts are counted in 6 ms in place of 27, and routes
 *   in 7 in place of 45. One of few whole numbers takes 0.4 bytes an event, and is read in a quarter of the time. Of many texts a
 *   dictionary is slower than none: 20,000 paths took 132 ms in place of 54.
 * - A column of amounts takes 2.2 bytes an event, fewer than the same values in the events, and is read in a third of the time.
 * - A bloom filter answers `==` and `in` of values such as trace ids; 0.005 false positives are 11 bits a value, and 0.001 were 14.
 * - The index of words lists the rows of each word, and answers `has` and `contains` by itself.
 * - Merges do not build indexes, because each would build that of words again, at 2 µs a row; neither do inserts (INDEXES_LATER). They
 *   are built afterwards (`buildLayouts`), in the parts that have none, which have no bytes of indexes.
 */
import assert from 'node:assert'
import { createHash } from 'node:crypto'
import { lowered, storedInteger, storedText } from '@deployment-annotations/apl/sql/field'
import { quoteName } from '@deployment-annotations/apl/sql/quoting'
import { tableName } from './event-table.ts'

/**
 * `column` is a column of few distinct texts, `codes` one of few distinct whole numbers, such as a status, and `integers` one of any whole
 * numbers; `values` is an index over many distinct texts, and `words` one over the words of long texts.
 */
export type LayoutKind = 'column' | 'codes' | 'integers' | 'values' | 'words'

interface FieldLayout {
  /** The path in the column `data`. */
  path: string
  kind: LayoutKind
}

/** @returns the name of the column or index, which is always the same */
export function layoutName({ path, kind }: FieldLayout): string {
  return `${kind}_${createHash('sha256').update(path).digest('hex').slice(0, 16)}`
}

/** @returns the statement that adds them to the table; it may be repeated */
export function addLayouts(table: string, layouts: readonly FieldLayout[]): string {
  const noMerges = layouts.some(({ kind }) => !isColumn(kind)) ? ['MODIFY SETTING materialize_skip_indexes_on_merge = 0'] : []
  return `ALTER TABLE ${tableName(table)} ${[...layouts.map(addition), ...noMerges].join(', ')} SETTINGS ${DICTIONARIES_OF_NUMBERS}`
}

function addition(layout: FieldLayout): string {
  const [text, integer] = [storedText(layout.path), storedInteger(layout.path)]
  assert(text !== undefined && integer !== undefined, `a field at ${JSON.stringify(layout.path)} can be read by its path`)
  const name = quoteName(layoutName(layout))
  switch (layout.kind) {
    case 'column':
      return `ADD COLUMN IF NOT EXISTS ${name} LowCardinality(Nullable(String)) MATERIALIZED ${text} CODEC(ZSTD(1))`
    case 'codes':
      return `ADD COLUMN IF NOT EXISTS ${name} LowCardinality(Nullable(Int64)) MATERIALIZED ${integer} CODEC(ZSTD(1))`
    case 'integers':
      return `ADD COLUMN IF NOT EXISTS ${name} Nullable(Int64) MATERIALIZED ${integer} CODEC(T64, LZ4)`
    case 'values':
      return `ADD INDEX IF NOT EXISTS ${name} ${text} TYPE bloom_filter(0.005) GRANULARITY 1`
    case 'words':
      return `ADD INDEX IF NOT EXISTS ${name} ${lowered(text)} TYPE text(tokenizer = splitByNonAlpha, posting_list_codec = 'bitpacking')`
    default:
      return layout.kind satisfies never
  }
}

/** @returns the statement that begins to build them from existing rows; the engine continues by itself, even after a restart */
export function buildLayouts(table: string, names: readonly string[]): string {
  const made = names.map((name) => `MATERIALIZE ${isColumn(name) ? 'COLUMN' : 'INDEX'} ${quoteName(name)}`)
  return `ALTER TABLE ${tableName(table)} ${made.join(', ')} SETTINGS mutations_sync = 0`
}

/** @returns the statement that drops it; no query may name a column by then */
export function dropLayout(table: string, name: string): string {
  const what = isColumn(name) ? 'COLUMN' : 'INDEX'
  return `ALTER TABLE ${tableName(table)} DROP ${what} IF EXISTS ${quoteName(name)} SETTINGS mutations_sync = 0`
}

/** @param of a kind, or a name of {@link layoutName}. @returns whether it is a column, which new rows have at once, and not an index */
export function isColumn(of: string): boolean {
  return !/^(?:values|words)/.test(of)
}

/** Without this setting the engine refuses a dictionary of numbers, which is slow if there are many. */
export const DICTIONARIES_OF_NUMBERS = 'allow_suspicious_low_cardinality_types = 1'

/** A regular expression for the engine that matches the names of the columns and indexes made here. */
export const LAYOUT_NAMES = '^(column|codes|integers|values|words)_[0-9a-f]{16}$'
