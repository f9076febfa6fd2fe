/**
 * Runs tasks with the same key one after the other, in order of arrival; others are not delayed. The queue has no bound of its own,
 * because the tasks wait for something that has one.
 */
export class KeyedMutex {
  /** The end of the last task for each key. */
  readonly #last = new Map<string, Promise<void>>()

  /** @returns the lock of the key, once all earlier holders have released it */
  async acquire(key: string): Promise<Disposable> {
    const before = this.#last.get(key)
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#last.set(key, ended)
    await before
    return {
      [Symbol.dispose]: () => {
        if (this.#last.get(key) === ended) this.#last.delete(key)
        end()
      },
    }
  }

  /** @returns the result of the task, once its turn has come */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    using _lock = await this.acquire(key)
    return await task()
  }
}
