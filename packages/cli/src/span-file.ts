/** The file of `--state`, which `open` writes for `close` before it sends the first byte. It is plain text, so it never has the token. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Leftover } from '@deployment-annotations/inputs/close'
import { refuse } from '@deployment-annotations/inputs/input-error'
import { quote } from '@deployment-annotations/inputs/text'

/**
 * Replaces the file atomically, so that a kill leaves either the old or the new one.
 * @throws InputError
 */
export function saveSpan(file: string, leftover: Leftover): void {
  if (file === '') return
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(leftover)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch (error) {
    refuseFile(file, 'cannot be written', error)
  }
}

/**
 * @returns `undefined` if there is no such file, because nothing was opened
 * @throws InputError
 */
export function readSpan(file: string): Leftover | undefined {
  try {
    const leftover = JSON.parse(readFileSync(file, 'utf8')) as Leftover
    if (typeof leftover?.intent === 'object') return leftover
    throw new Error('it was not written by annotate open')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return refuseFile(file, 'cannot be read', error)
  }
}

export function forgetSpan(file: string): void {
  if (file !== '') rmSync(file, { force: true })
}

function refuseFile(file: string, problem: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException
  return refuse('state', ` is ${quote(file)}, which ${problem}: ${code ?? message}`)
}
