/**
 * Tasks that share a key run one after the other, in order of arrival; others are not held up. It has no
 * bound of its own: what its tasks wait for in the store has one.
 */
export class KeyedMutex {
  /** The end of the last task that has come for each key. */
  readonly #last = new Map<string, Promise<void>>()

  /** @returns the key's lock, once all who came before have released it */
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

  /** @returns what the task returns, once its turn has come */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    using _lock = await this.acquire(key)
    return await task()
  }
}
