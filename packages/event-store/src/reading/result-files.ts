/**
 * Files for the answers of the engine on their way to the caller, in one directory. A file has a name while the engine writes it, and
 * stays on the disk until its reader has read it. Readers may be slow, so the bytes of unread files are bounded, for each caller and in
 * total.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ANSWERS_HELD } from '@deployment-annotations/runtime/concurrency/bounds'
import { HeldBytes } from '@deployment-annotations/runtime/concurrency/held-bytes'
import { freeBytesOf } from '../disk/free-space.ts'
import { tooManyBytes } from './engine-errors.ts'
import { ResultRows } from './result-rows.ts'

/** How often the size of a file is checked while it is written. */
const CHECK_MS = 50

/** How long a failed disk is not tried again. */
const AVOIDED_MS = 10_000

/** The file does not exist yet, or no longer. */
const ignoreMissing = () => undefined

export class ResultFiles {
  readonly #directory: string
  readonly #bytesMax: number
  /** The files that are not read completely. Answers under way are not counted, because slots already bound them. */
  readonly #held: HeldBytes<{ caller: string; bytes: number }>
  #number = 0
  #avoidedUntilMs = 0

  /**
   * @param directory only for these files; those of an earlier process are removed
   * @param bytesMax the limit for one answer
   */
  constructor(directory: string, bytesMax: number, bound = ANSWERS_HELD) {
    this.#held = new HeldBytes(bound)
    this.#directory = directory
    this.#bytesMax = bytesMax
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    for (const left of readdirSync(directory)) rmSync(join(directory, left), { recursive: true })
  }

  /** Whether the largest answer would fit on the disk, and the disk can be written. */
  get hasRoom(): boolean {
    return performance.now() > this.#avoidedUntilMs && freeBytesOf(this.#directory) > this.#bytesMax
  }

  /** Call this after a failed write: the disk counts as full for a while. */
  avoid(): void {
    this.#avoidedUntilMs = performance.now() + AVOIDED_MS
  }

  /**
   * @param caller who is going to read it
   * @param write creates the file and resolves when it is complete; its signal aborts if the answer is too large
   * @throws ServiceError `query_too_large`, `rate_limited` or `overloaded`; whatever `write` throws; then there is no file
   */
  async fill(caller: string, write: (path: string, isTooLarge: AbortSignal) => Promise<unknown>): Promise<ResultRows> {
    this.#held.requireRoom({ caller, bytes: 0 })
    const path = join(this.#directory, String(this.#number++))
    const tooLarge = new AbortController()
    const checkSize = (size = 0) => {
      if (size > this.#bytesMax) tooLarge.abort(tooManyBytes(this.#bytesMax))
    }
    const timer = setInterval(() => void stat(path).then(({ size }) => checkSize(size), ignoreMissing), CHECK_MS)
    try {
      await write(path, tooLarge.signal)
      checkSize(statSync(path).size)
      tooLarge.signal.throwIfAborted()
      const rows = await ResultRows.open(path, () => this.#held.delete(held))
      const held = { caller, bytes: rows.fileBytes }
      if (held.bytes > 0) this.#held.add(held)
      return rows
    } catch (error) {
      await rm(path, { force: true })
      throw tooLarge.signal.aborted ? tooLarge.signal.reason : error
    } finally {
      clearInterval(timer)
    }
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
