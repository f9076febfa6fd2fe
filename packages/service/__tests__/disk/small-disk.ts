/**
 * A disk of its own for a test, small enough to be filled: a tmpfs, mounted as root or by a sudo that asks for no password.
 * Where neither works, the tests that need one say that they are skipped.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempDisposableSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testIf } from '../test-if.ts'

export interface SmallDisk extends Disposable {
  path: string
  /** Writes until `leftBytes` are free, 0 by default: to the last byte. */
  fill(leftBytes?: number): void
  /** Takes back what `fill` wrote. */
  free(): void
}

/** @returns what is to be executed so that root does it, and its arguments */
export const rootCommand = (...command: [string, ...string[]]): [string, string[]] => {
  const [file, ...args] = command
  return process.getuid?.() === 0 ? [file, args] : ['sudo', ['-n', ...command]]
}

export const asRoot = (...command: [string, ...string[]]) => {
  execFileSync(...rootCommand(...command), { stdio: 'ignore' })
}

export function mountSmallDisk(mib: number): SmallDisk {
  using stack = new DisposableStack()
  const { path } = stack.use(mkdtempDisposableSync(join(tmpdir(), 'small-disk-')))
  const options = `size=${mib}m,mode=0700,uid=${process.getuid?.()},gid=${process.getgid?.()}`
  asRoot('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path)
  stack.defer(() => asRoot('umount', '-l', path))
  const mounted = stack.move()
  const filler = join(path, 'filler')
  return {
    path,
    fill: (leftBytes = 0) => fillDisk(filler, leftBytes),
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => mounted.dispose(),
  }
}

function fillDisk(filler: string, leftBytes: number): void {
  const block = Buffer.alloc(65_536)
  const file = openSync(filler, 'a')
  try {
    const { bavail, bsize } = statfsSync(filler)
    for (let left = bavail * bsize - leftBytes; left > 0; ) left -= writeSync(file, block, 0, Math.min(left, block.length))
    // Then whatever the last pages have.
    while (leftBytes === 0) writeSync(file, block, 0, 1_024)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

export const testOnSmallDisk = testIf(() => mountSmallDisk(1), 'no disk can be mounted here')
