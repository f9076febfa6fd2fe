/**
 * A dataset as the service holds it while it runs: its record, its fields, and whether it exists. A request holds a lease of it: a
 * dataset that is not on disk yet is shared by all requests that name it, created by the first of them that commits, and forgotten with
 * the last of them if none does.
 */
import type { StoredDataset, StoredFields } from '@deployment-annotations/records/dataset-records'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FieldTree } from '../fields/field-tree.ts'
import type { LayoutKind } from '../schema/field-layout.ts'

export interface Dataset extends StoredDataset {
  readonly fields: FieldTree
  /** Types that are known here and not yet on disk; saved before the rows that have them. */
  readonly unsaved: UnsavedFields
  /** What its table keeps of fields beside the events, by the field's name: a kind of the store's layouts. */
  readonly layouts: Map<string, LayoutKind>
  /** `new`: only named by requests under way, nothing of it is on disk. */
  state: 'new' | 'live' | 'gone'
  /** Its table is not there: where the files of it are. */
  damagedAt?: string | undefined
}

/** @throws ServiceError `unavailable` where the events of the dataset can neither be read nor added to */
export function requireEvents({ name, damagedAt }: Dataset): void {
  if (damagedAt === undefined) return
  throw new ServiceError(
    'unavailable',
    `the events of the dataset ${quoted(name)} are damaged: their files are in ${damagedAt}; repair or delete the dataset`,
  )
}

export class UnsavedFields {
  readonly #types = new Map<string, number>()

  /** @param bits types that the field did not have before */
  add(name: string, bits: number): void {
    this.#types.set(name, (this.#types.get(name) ?? 0) | bits)
  }

  /**
   * Has all of them saved. What is added meanwhile waits for the next time, and so does everything where `save` rejects.
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

/** A dataset that is not on disk yet. */
export interface SharedDraft {
  readonly dataset: Dataset
  users: number
  /** It is being put on disk. */
  committing: Promise<boolean> | undefined
  /** Puts the dataset on disk. @returns whether this was what made it */
  create(dataset: Dataset): Promise<boolean>
  /** It is no longer used. */
  forget(): void
}

export class DatasetLease implements Disposable {
  readonly dataset: Dataset
  readonly #draft: SharedDraft | undefined

  /** @param draft absent where the dataset is on disk */
  constructor(dataset: Dataset, draft?: SharedDraft) {
    this.dataset = dataset
    this.#draft = draft
    if (draft) draft.users++
  }

  /** Whether a request is putting the dataset on disk at this moment. */
  get isCommitting(): boolean {
    return this.#draft?.committing !== undefined
  }

  /** Puts the dataset on disk, unless it is there. @returns whether it was made now */
  async commit(): Promise<boolean> {
    const draft = this.#draft
    if (!draft || this.dataset.state !== 'new') return false
    draft.committing ??= draft.create(this.dataset)
    try {
      return await draft.committing
    } finally {
      draft.committing = undefined
    }
  }

  [Symbol.dispose](): void {
    const draft = this.#draft
    if (draft && --draft.users === 0) draft.forget()
  }
}
