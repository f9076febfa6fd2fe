/**
 * What the comment of an event table says: the record of its dataset and its fields, so that they can be made again from the events if the
 * records lost them. Upkeep writes it when they have changed (upkeep.ts).
 * Deliberately not here: making records from comments (fsck.ts).
 */
import type { StoredDataset } from '@deployment-annotations/records/datasets/dataset-records'
import type { Dataset } from './dataset.ts'

export type CommentedDataset = Omit<StoredDataset, 'table'>

interface TableComment {
  dataset: CommentedDataset
  /** The types of each field, as bits. */
  fields: Readonly<Record<string, number>>
}

export function encodeComment(dataset: Dataset): string {
  const { table: _, fields: tree, unsaved: __, layouts: ___, state: ____, damagedAt: _____, ...record } = dataset
  const fields = [...tree.root.fields()].map((field) => [field.name, field.types] as const).sort()
  return JSON.stringify({ dataset: record, fields: Object.fromEntries(fields) } satisfies TableComment)
}

/** @returns `undefined` if the table has no such comment */
export function decodeComment(text: string): TableComment | undefined {
  try {
    const { dataset, fields } = JSON.parse(text) as Partial<TableComment>
    return typeof dataset?.name === 'string' && typeof fields === 'object' ? { dataset, fields } : undefined
  } catch {
    return undefined
  }
}
