/**
 * A dataset for as long as a request lasts. One that is not on disk yet is shared by all requests that name it, made by the
 * first of them that commits, and forgotten with the last of them if none does.
 */
import type { Dataset } from './dataset.ts'

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
