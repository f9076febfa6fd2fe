/**
 * A lane to the engine: so many statements at a time, the rest in order of arrival, and a bound on how many may wait.
 * The queue is ours because the embedded engine's own one holds a thread of Node's pool for every waiting statement.
 */
import { ServiceError } from '../errors.ts'

/** Waiting statements after which new ones are refused: at 50 changes a second, about 10 s of work. */
const WAITING_MAX = 500

export interface Lane {
  /** @throws ServiceError `overloaded` when too many wait already; whatever `task` rejects with */
  run<T>(task: () => Promise<T>): Promise<T>
  /** Resolves when nothing runs or waits. */
  drained(): Promise<void>
}

/** @param width how many tasks may run at once */
export function createLane(width: number): Lane {
  const waiting: (() => void)[] = []
  const idle: (() => void)[] = []
  let running = 0

  const leave = () => {
    // The place is handed over, not freed: nobody who comes in between can take it.
    const next = waiting.shift()
    if (next) return next()
    running--
    if (running === 0) for (const resolve of idle.splice(0)) resolve()
  }
  return {
    async run(task) {
      if (running < width) running++
      else {
        if (waiting.length >= WAITING_MAX) {
          throw new ServiceError(
            'overloaded',
            `the store is busy: ${waiting.length} requests wait already; try again in a second`,
          )
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      try {
        return await task()
      } finally {
        leave()
      }
    },
    async drained() {
      if (running > 0) await new Promise<void>((resolve) => idle.push(resolve))
    },
  }
}
