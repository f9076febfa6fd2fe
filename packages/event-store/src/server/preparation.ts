/**
 * What has to happen before the first statement on servers: looking at their settings, and making sure that the events there are ours.
 * Where the servers are away at start, the service starts without them, and this happens as soon as they are back.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { isAway } from '../engine/engine-failures.ts'

export class Preparation {
  readonly #tasks: (() => Promise<unknown>)[] = []
  /** Statements of a task do not wait for the task. */
  readonly #inside = new AsyncLocalStorage<true>()
  #running: Promise<void> | undefined

  /**
   * Runs a task now, or where the servers are away, before the first statement once they are back.
   * @throws whatever the task rejects with for another reason
   */
  async add(task: () => Promise<unknown>): Promise<void> {
    this.#tasks.push(task)
    await this.#run().catch((error: unknown) => {
      if (!isAway(error)) throw error
    })
  }

  /** Await this before a statement. @throws ServiceError `unavailable` */
  async done(): Promise<void> {
    if (this.#tasks.length === 0 || this.#inside.getStore()) return
    await this.#run().catch((cause: unknown) => {
      if (isAway(cause)) throw cause
      throw new ServiceError('unavailable', `the events cannot be used: ${(cause as Error).message}`, { cause })
    })
  }

  /** Runs the tasks in their order; those that were not done are tried again by the next call. */
  #run(): Promise<void> {
    this.#running ??= this.#inside
      .run(true, async () => {
        for (let task = this.#tasks[0]; task; task = this.#tasks[0]) {
          await task()
          this.#tasks.shift()
        }
      })
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }
}
