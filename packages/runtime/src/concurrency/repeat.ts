/** Work at intervals. Deliberately not here: work that has a time of its own, which a scheduler runs. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs a task now, and again after each wait, until the signal aborts. The wait does not keep the process alive.
 * @throws whatever the task throws, which ends this
 */
export async function repeat(task: () => unknown, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await task()
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
