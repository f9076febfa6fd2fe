/**
 * Where answers of the engine go on their way to those who asked: files of one directory, each for as long as the engine writes it.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { freeBytesOf } from '../disk/free-space.ts'
import { tooManyBytes } from './engine-errors.ts'
import { ResultRows } from './result-rows.ts'

/** How often a file that is being written is looked at. */
const LOOK_EVERY_MS = 50

export class ResultFiles {
  readonly #directory: string
  readonly #bytesMax: number
  #number = 0

  /**
   * @param directory of nobody else: what a process that ended has left in it is removed
   * @param bytesMax of one answer
   */
  constructor(directory: string, bytesMax: number) {
    this.#directory = directory
    this.#bytesMax = bytesMax
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    for (const left of readdirSync(directory)) rmSync(join(directory, left), { recursive: true })
  }

  /** Whether the largest answer would fit on the disk. */
  get hasRoom(): boolean {
    return freeBytesOf(this.#directory) > this.#bytesMax
  }

  /**
   * @param write makes the file, and ends when it is complete; it is told when the answer is too large, which ends the work
   * @throws ServiceError `query_too_large`; what `write` throws; and then there is no file
   */
  async fill(write: (path: string, isTooLarge: AbortSignal) => Promise<unknown>): Promise<ResultRows> {
    const path = join(this.#directory, String(this.#number++))
    const tooLarge = new AbortController()
    const look = async () => {
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined && found.size > this.#bytesMax) tooLarge.abort(tooManyBytes(this.#bytesMax))
    }
    const timer = setInterval(look, LOOK_EVERY_MS)
    try {
      await write(path, tooLarge.signal)
      await look()
      tooLarge.signal.throwIfAborted()
      return await ResultRows.open(path)
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
