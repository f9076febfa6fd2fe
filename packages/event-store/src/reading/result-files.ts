/**
 * Where answers of the engine go on their way to those who asked: files of one directory, each with a name for as long as the engine
 * writes it, and on the disk until its reader has it. Readers may be slow, so what they hold is bounded: for each caller, and for all.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ANSWERS_HELD, type HeldBound, heldByCaller, heldByOthers } from '@deployment-annotations/runtime/concurrency/bounds'
import { freeBytesOf } from '../disk/free-space.ts'
import { tooManyBytes } from './engine-errors.ts'
import { ResultRows } from './result-rows.ts'

/** How often a file that is being written is looked at. */
const LOOK_EVERY_MS = 50

/** How long a disk that failed is not tried again. */
const AVOIDED_MS = 10_000

/** It is not begun yet, or has been given up. */
const ignoreMissing = () => undefined

export class ResultFiles {
  readonly #directory: string
  readonly #bytesMax: number
  readonly #bound: HeldBound
  /** Bytes of files that are not read to their end, by caller. */
  readonly #held = new Map<string, number>()
  #number = 0
  #avoidedUntilMs = 0

  /**
   * @param directory of nobody else: what a process that ended has left in it is removed
   * @param bytesMax of one answer
   */
  constructor(directory: string, bytesMax: number, bound = ANSWERS_HELD) {
    this.#bound = bound
    this.#directory = directory
    this.#bytesMax = bytesMax
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    for (const left of readdirSync(directory)) rmSync(join(directory, left), { recursive: true })
  }

  /** Whether the largest answer would fit on the disk, and can be written there. */
  get hasRoom(): boolean {
    return performance.now() > this.#avoidedUntilMs && freeBytesOf(this.#directory) > this.#bytesMax
  }

  /** To be called where the disk cannot be written: there is no room for a while. */
  avoid(): void {
    this.#avoidedUntilMs = performance.now() + AVOIDED_MS
  }

  /**
   * @param caller who is to read it
   * @param write makes the file, and ends when it is complete; it is told when the answer is too large, which ends the work
   * @throws ServiceError `query_too_large`, `rate_limited` or `overloaded`; what `write` throws; and then there is no file
   */
  async fill(caller: string, write: (path: string, isTooLarge: AbortSignal) => Promise<unknown>): Promise<ResultRows> {
    this.#requireShare(caller)
    const path = join(this.#directory, String(this.#number++))
    const tooLarge = new AbortController()
    const look = (size = 0) => {
      if (size > this.#bytesMax) tooLarge.abort(tooManyBytes(this.#bytesMax))
    }
    const timer = setInterval(() => void stat(path).then(({ size }) => look(size), ignoreMissing), LOOK_EVERY_MS)
    try {
      await write(path, tooLarge.signal)
      look(statSync(path).size)
      tooLarge.signal.throwIfAborted()
      const rows: ResultRows = await ResultRows.open(path, () => this.#hold(caller, -rows.fileBytes))
      this.#hold(caller, rows.fileBytes)
      return rows
    } catch (error) {
      await rm(path, { force: true })
      throw tooLarge.signal.aborted ? tooLarge.signal.reason : error
    } finally {
      clearInterval(timer)
    }
  }

  /** Answers under way are not counted yet: they are as many as there are slots. */
  #requireShare(caller: string): void {
    const all = [...this.#held.values()].reduce((sum, bytes) => sum + bytes, 0)
    if ((this.#held.get(caller) ?? 0) >= this.#bound.bytesPerCallerMax) throw heldByCaller(this.#held.get(caller) as number)
    if (all >= this.#bound.bytesMax) throw heldByOthers(all)
  }

  #hold(caller: string, bytes: number): void {
    const held = (this.#held.get(caller) ?? 0) + bytes
    if (held === 0) this.#held.delete(caller)
    else this.#held.set(caller, held)
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
