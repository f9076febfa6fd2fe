/**
 * Types of fields that are known and not yet on disk. They wait here until rows that have them are about to be stored.
 */
import type { StoredFields } from '@deployment-annotations/records/dataset-records'

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
