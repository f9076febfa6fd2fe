/**
 * Tasks that end when told to, for tests of who goes first.
 */
import type { GateBound } from '../../src/concurrency/gate.ts'

export class Tasks {
  /** Names of tasks that have started, in order. */
  readonly started: string[] = []
  readonly #ends = new Map<string, (error?: Error) => void>()

  /** @returns a task that resolves with its name */
  task(name: string): () => Promise<string> {
    return async () => {
      this.started.push(name)
      await new Promise<void>((resolve, reject) => this.#ends.set(name, (error) => (error ? reject(error) : resolve())))
      return name
    }
  }

  /** Ends a task, and lets happen what follows from it. */
  async end(name: string, error?: Error): Promise<void> {
    this.#ends.get(name)?.(error)
    await turn()
  }
}

/** Lets everything happen that needs no more than promises. */
export function turn(): Promise<void> {
  return new Promise(setImmediate)
}

const SOON_MS = 60_000

/** Resolves in the turn in which it is so. @throws Error when that does not come within a minute */
export async function soon(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + SOON_MS
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`it did not come true within a minute: ${isSo}`)
    await turn()
  }
}

/** A gate of one slot, where as many may wait as like, for as long as they like. */
export const boundOf = (more: Partial<GateBound> = {}): GateBound => ({
  what: 'queries',
  slots: 1,
  waitingMax: 100,
  ...more,
})
