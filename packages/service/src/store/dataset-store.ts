/**
 * Datasets as kept, with their fields: the catalogue. Deliberately not here: SQL, the tables that hold their events
 * (event-tables.ts), and what a dataset is while the service runs.
 */

export interface StoredDataset {
  name: string
  /** Table of its events. */
  table: string
  description: string
  createdAtMs: number
  updatedAtMs: number
  /** Id of the token that made it. */
  createdBy: string
  /** 0: forever. */
  retentionDays: number
}

/** The types of each field of a dataset, as bits, by the field's name. */
export type StoredFields = ReadonlyMap<string, number>

export interface DatasetStore {
  /** All datasets with their fields. */
  load(): Promise<{ dataset: StoredDataset; fields: StoredFields }[]>
  /** Resolves once the dataset is on disk. */
  create(dataset: StoredDataset): Promise<void>
  /** Writes description, retention and the time of the change as they are now. */
  change(dataset: StoredDataset): Promise<void>
  /** Removes the dataset and its fields; its events are in a table of their own. */
  remove(table: string): Promise<void>
  /** Adds types to fields. Resolves once they are on disk. */
  addFields(table: string, fields: StoredFields): Promise<void>
}
