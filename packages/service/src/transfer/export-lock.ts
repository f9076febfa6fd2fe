/**
 * Keeps two exports from writing to one directory at a time: a file that names the process that does. One that was killed leaves
 * it behind, and then it is taken over.
 */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnerFile } from '@deployment-annotations/runtime/owner-file'
import { isRunning } from '@deployment-annotations/runtime/processes'

/** @param directory one that exists. @throws Error when another process writes there */
export function lockExport(directory: string): Disposable {
  const file = join(directory, 'running')
  const mine = String(process.pid)
  for (let tries = 1; readHolder(file) !== mine; tries++) {
    const holder = readHolder(file)
    if (holder !== undefined && (isRunning(Number(holder)) || tries > 2))
      throw new Error(`process ${holder} is writing to ${directory}; if it is no export, remove ${file}`)
    rmSync(file, { force: true })
    makeOwnerFile(file, mine)
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
}

function readHolder(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
