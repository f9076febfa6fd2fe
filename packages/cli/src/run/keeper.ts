/**
 * A process that outlives `annotate run` and closes the span if that is killed. It learns over a pipe what there is to close. If the
 * pipe closes without a "done", the keeper closes the span. It runs in its own session, so that a signal to the process group does not
 * end it. The token goes through the pipe, never through arguments.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Leftover } from '@deployment-annotations/inputs/close'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'

export const KEEP = 'keep-span'

/** What the keeper has to know to close the span. Each message has all of it. */
interface Kept {
  service: Omit<ServiceInputs, 'baseUrl'> & { baseUrl: string }
  leftover: Leftover
  /** The result of the command, once it has ended. */
  result: string
}

export class Keeper implements Disposable {
  readonly #process: ChildProcess

  constructor() {
    this.#process = spawn(process.execPath, [process.argv[1] ?? '', KEEP], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // Without a keeper, a kill leaves the span open; nothing else is affected.
    this.#process.on('error', () => undefined)
    this.#process.stdin?.on('error', () => undefined)
    this.#process.unref()
  }

  tell(kept: Kept): void {
    this.#process.stdin?.write(`${JSON.stringify(kept)}\n`)
  }

  /** Tells the keeper to end without closing the span. */
  [Symbol.dispose](): void {
    this.#process.stdin?.end('null\n')
  }
}

/** @returns the last message, if the pipe closed without a "done"; otherwise `undefined` */
export async function listenUntilEnd(): Promise<Kept | undefined> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  let last: Kept | null = null
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      last = JSON.parse(line) as Kept | null
    } catch {
      // The kill cut this message short. The message before it counts.
    }
  }
  return last ?? undefined
}
