/**
 * A bounded semaphore: a number of permits, waiters in order of arrival, and a bound on how many may wait.
 * Permits are numbered, so that a permit can stand for one of several things, such as sessions.
 */
import { overloaded, type QueueBound } from './queue-bounds.ts'

/** The right to go on, until it is disposed of. */
interface Permit extends Disposable {
  /** 0 to permits - 1, held by nobody else meanwhile. */
  readonly index: number
}

export class Semaphore {
  readonly #permits: number
  readonly #bound: QueueBound
  readonly #free: number[]
  readonly #waiting = new Set<(index: number) => void>()
  readonly #idlers: (() => void)[] = []

  constructor(permits: number, bound: QueueBound) {
    this.#permits = permits
    this.#bound = bound
    this.#free = Array.from({ length: permits }, (_, index) => index)
  }

  /**
   * @param signal ends the wait
   * @param isPatient waits as long as it takes
   * @throws ServiceError `overloaded` when too many wait already, or it has waited for too long; the signal's reason
   */
  async acquire(signal?: AbortSignal, isPatient = false): Promise<Permit> {
    signal?.throwIfAborted()
    const index = this.#free.shift() ?? (await this.#wait(signal, isPatient))
    let isHeld = true
    return {
      index,
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(index)
        isHeld = false
      },
    }
  }

  /** Runs `task` with a permit. @throws as {@link acquire}; whatever `task` rejects with */
  async run<T>(task: () => Promise<T>): Promise<T> {
    using _permit = await this.acquire()
    return await task()
  }

  /** Resolves when nobody holds a permit or waits for one. */
  async idle(): Promise<void> {
    if (this.#free.length < this.#permits) await new Promise<void>((resolve) => this.#idlers.push(resolve))
  }

  #wait(signal: AbortSignal | undefined, isPatient: boolean): Promise<number> {
    if (this.#waiting.size >= this.#bound.waitingMax) throw overloaded(this.#bound, this.#waiting.size)
    return new Promise((resolve, reject) => {
      const { waitMsMax } = this.#bound
      const giveUp = (reason: unknown) => {
        this.#waiting.delete(take)
        end()
        reject(reason)
      }
      const leave = () => giveUp(signal?.reason)
      const timer = !isPatient && waitMsMax && setTimeout(() => giveUp(overloaded(this.#bound, this.#waiting.size)), waitMsMax)
      const end = () => {
        clearTimeout(timer || undefined)
        signal?.removeEventListener('abort', leave)
      }
      const take = (index: number) => {
        end()
        resolve(index)
      }
      this.#waiting.add(take)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #release(index: number): void {
    // The permit is handed over, not freed: nobody who comes in between can take it.
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      next(index)
      return
    }
    this.#free.push(index)
    if (this.#free.length === this.#permits) for (const resolve of this.#idlers.splice(0)) resolve()
  }
}
