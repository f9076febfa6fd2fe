/**
 * Tasks that share a key run one after the other, in order of arrival; others are not held up.
 */
export interface Turns {
  /** @returns what the task returns, once its turn has come */
  take<T>(key: string, task: () => Promise<T>): Promise<T>
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(key, task) {
      const before = last.get(key)
      const mine = (async () => {
        // The one before has told its own caller how it ended.
        await before?.catch(() => undefined)
        return task()
      })()
      last.set(key, mine)
      try {
        return await mine
      } finally {
        if (last.get(key) === mine) last.delete(key)
      }
    },
  }
}
