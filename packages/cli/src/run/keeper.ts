/**
 * A process that outlives `annotate run` and closes the span if that is killed. It hears over a pipe what there is to close; where the
 * pipe ends without a word that all is done, it acts. It has a session of its own, so that what ends a group of processes passes it by.
 * The token goes through the pipe, never through arguments.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Leftover } from '@deployment-annotations/inputs/close'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'

export const KEEP = 'keep-span'

/** What the keeper is told, each time whole. */
interface Kept {
  service: Omit<ServiceInputs, 'baseUrl'> & { baseUrl: string }
  leftover: Leftover
  /** How it went, once the command has ended. */
  result: string
}

export class Keeper implements Disposable {
  readonly #process: ChildProcess

  constructor() {
    this.#process = spawn(process.execPath, [process.argv[1] ?? '', KEEP], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // Without it a kill leaves the span open, and that is all.
    this.#process.on('error', () => undefined)
    this.#process.stdin?.on('error', () => undefined)
    this.#process.unref()
  }

  tell(kept: Kept): void {
    this.#process.stdin?.write(`${JSON.stringify(kept)}\n`)
  }

  /** All is done, or will be by nobody: the keeper has nothing to do. */
  [Symbol.dispose](): void {
    this.#process.stdin?.end('null\n')
  }
}

/** @returns what was left to do when the pipe ended; `undefined` if nothing */
export async function listenUntilEnd(): Promise<Kept | undefined> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  let last: Kept | null = null
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      last = JSON.parse(line) as Kept | null
    } catch {
      // Cut short by the kill: what was told before it holds.
    }
  }
  return last ?? undefined
}
