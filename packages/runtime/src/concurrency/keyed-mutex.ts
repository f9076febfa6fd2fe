/**
 * Runs tasks with the same key one after the other, in order of arrival. The queue has no bound, because the tasks wait for something
 * that has one.
 */
export class KeyedMutex {
  /** The end of the last task for each key; it never rejects. */
  readonly #last = new Map<string, Promise<unknown>>()

  /** @returns the result of the task, once all earlier ones with the key have ended */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const result = Promise.resolve(this.#last.get(key)).then(task)
    const ended = result.catch(() => undefined)
    this.#last.set(key, ended)
    try {
      return await result
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key)
    }
  }
}
