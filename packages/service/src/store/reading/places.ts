/**
 * Things that one user at a time may have, such as sessions: handed out in the order of asking, with a bound on how many wait.
 */
import { ServiceError } from '../../errors.ts'

export interface Places<T> {
  /**
   * Runs `task` with a free thing.
   * @throws ServiceError `overloaded` when too many wait already; the signal's reason when it ends while waiting
   */
  use<R>(signal: AbortSignal, task: (thing: T) => Promise<R>): Promise<R>
  /** Resolves when nothing is in use. */
  idle(): Promise<void>
}

interface Waiting<T> {
  give: (thing: T) => void
}

export function createPlaces<T>(things: readonly T[], waitingMax: number): Places<T> {
  const free = [...things]
  const waiting = new Set<Waiting<T>>()
  const idlers: (() => void)[] = []

  function ask(signal: AbortSignal): Promise<T> | T {
    signal.throwIfAborted()
    const thing = free.shift()
    if (thing !== undefined) return thing
    if (waiting.size >= waitingMax) {
      throw new ServiceError('overloaded', `${waiting.size} queries wait already; send this one again in a second`)
    }
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        reject(signal.reason)
      }
      const entry = {
        give: (given: T) => {
          signal.removeEventListener('abort', leave)
          resolve(given)
        },
      }
      waiting.add(entry)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function giveBack(thing: T): void {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next.give(thing)
      return
    }
    free.push(thing)
    if (free.length === things.length) for (const resolve of idlers.splice(0)) resolve()
  }

  return {
    async use(signal, task) {
      const thing = await ask(signal)
      try {
        return await task(thing)
      } finally {
        giveBack(thing)
      }
    },
    async idle() {
      if (free.length < things.length) await new Promise<void>((resolve) => idlers.push(resolve))
    },
  }
}
