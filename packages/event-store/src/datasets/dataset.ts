/**
 * A dataset in memory: its record, its fields, and whether it exists. A request holds a lease of it. A dataset that is not on disk yet
 * is shared by all requests that name it, created by the first of them that commits, and discarded after the last of them if none does.
 */
import type { StoredDataset, StoredFields } from '@deployment-annotations/records/datasets/dataset-records'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FieldTree } from '../fields/field-tree.ts'
import type { LayoutKind } from '../schema/field-layout.ts'

export interface Dataset extends StoredDataset {
  readonly fields: FieldTree
  /** Types that are known here and not yet on disk. They are saved before the rows that have them. */
  readonly unsaved: UnsavedFields
  /** The columns and indexes of its table: the kind by the name of the field. */
  readonly layouts: Map<string, LayoutKind>
  /** `new`: it is only named by requests under way, and nothing of it is on disk. */
  state: 'new' | 'live' | 'gone'
  /** Where the files are if its table is missing. */
  damagedAt?: string | undefined
}

/** @throws ServiceError `unavailable` if its events can be neither read nor added to */
export function requireEvents({ name, damagedAt }: Dataset): void {
  if (damagedAt === undefined) return
  throw new ServiceError(
    'unavailable',
    `the events of the dataset ${quoted(name)} are damaged: their files are in ${damagedAt}; repair or delete the dataset`,
  )
}

/** What people are told of a dataset that has nearly all of the fields that it may have. */
export function crowdedText({ name, fields }: Pick<Dataset, 'name' | 'fields'>): string {
  const [size, most] = [fields.size, fields.fieldsMax].map((count) => count.toLocaleString('en-US'))
  return `the dataset ${quoted(name)} has ${size} of the ${most} fields that it may have; members beyond them are stored all the same, and are found by their whole names only, and slowly. Make a map field of an object whose keys are ids`
}

export class UnsavedFields {
  readonly #types = new Map<string, number>()

  /** @param bits types that the field did not have before */
  add(name: string, bits: number): void {
    this.#types.set(name, (this.#types.get(name) ?? 0) | bits)
  }

  /**
   * Saves all of them. Types that are added meanwhile wait for the next call, and all of them do if `save` rejects.
   * @throws whatever `save` rejects with
   */
  async flush(save: (fields: StoredFields) => Promise<void>): Promise<void> {
    if (this.#types.size === 0) return
    const saving = new Map(this.#types)
    await save(saving)
    for (const [name, bits] of saving) {
      const left = (this.#types.get(name) ?? 0) & ~bits
      if (left === 0) this.#types.delete(name)
      else this.#types.set(name, left)
    }
  }
}

/** A dataset for the duration of a request, which disposes of it. */
export interface DatasetLease extends Disposable {
  readonly dataset: Dataset
  /** Puts the dataset on disk, unless it is there. @returns whether this call created it */
  commit(): Promise<boolean>
}
