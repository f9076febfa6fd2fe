/**
 * Power cuts on file systems of their own, under load: the file system is shut down without writing anything more, so that only what was
 * synced is there afterwards. Nothing that was acknowledged is lost, no request is torn or doubled, and what a cut leaves half written is
 * not called damage.
 * Not tried: disks that report a sync which they have not made, or that write what was not synced in another order.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { runs, tried } from '../../../../__tests__/support/long.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { Ledger } from '../ledger.ts'
import { asRoot } from './small-disk.ts'

interface Disk {
  make: [string, ...string[]]
  options: string
  /** Whether its kernel driver can be shut down; otherwise its image is copied as it is. */
  canShutDown: boolean
}

const DISKS: Readonly<Record<string, Disk>> = {
  'ext4, data=ordered': { make: ['mkfs.ext4', '-q', '-F'], options: 'loop,data=ordered', canShutDown: true },
  'ext4, data=writeback': { make: ['mkfs.ext4', '-q', '-F'], options: 'loop,data=writeback', canShutDown: true },
  XFS: { make: ['mkfs.xfs', '-q', '-f'], options: 'loop', canShutDown: true },
  // Nothing but syncs writes to it for five minutes.
  btrfs: { make: ['mkfs.btrfs', '-q', '-f'], options: 'loop,commit=300', canShutDown: false },
}
const IMAGE_BYTES = 768 * 1_048_576
const ROUNDS = runs(2, 13)

class MountedDisk implements Disposable {
  readonly path: string
  readonly #directory = mkdtempSync(join(tmpdir(), 'power-cut-'))
  readonly #disk: Disk
  #image: string

  constructor(disk: Disk) {
    this.#disk = disk
    this.#image = join(this.#directory, 'image')
    this.path = join(this.#directory, 'mounted')
    mkdirSync(this.path)
    writeFileSync(this.#image, '')
    truncateSync(this.#image, IMAGE_BYTES)
    asRoot(...disk.make, this.#image)
    this.#mount()
  }

  /** Takes the power away from a disk that nobody has an open file on after `end`. */
  async cut(end: () => Promise<unknown>): Promise<void> {
    if (this.#disk.canShutDown) {
      asRoot('xfs_io', '-x', '-c', 'shutdown', this.path)
      await end()
    } else {
      await end()
      copyFileSync(this.#image, `${this.#image}.next`)
    }
    asRoot('umount', this.path)
    if (!this.#disk.canShutDown) {
      rmSync(this.#image)
      this.#image = `${this.#image}.next`
    }
    this.#mount()
  }

  #mount(): void {
    asRoot('mount', '-o', this.#disk.options, this.#image, this.path)
    asRoot('chown', `${process.getuid?.()}:${process.getgid?.()}`, this.path)
  }

  [Symbol.dispose](): void {
    try {
      asRoot('umount', '-l', this.path)
    } finally {
      rmSync(this.#directory, { recursive: true, force: true })
    }
  }
}

/** Why such a disk cannot be tried here; `undefined` if it can. */
function reasonToSkip(disk: Disk): string | undefined {
  try {
    using mounted = new MountedDisk(disk)
    if (disk.canShutDown) asRoot('xfs_io', '-x', '-c', 'shutdown', mounted.path)
    return undefined
  } catch (error) {
    return (error as Error).message.split('\n')[0]
  }
}

for (const [name, disk] of Object.entries(DISKS)) {
  const reason = reasonToSkip(disk)
  if (reason !== undefined) console.warn(`${name} is skipped; it needs loop devices, mkfs.* and xfs_io of xfsprogs: ${reason}`)
  const testHere = reason === undefined ? test : test.skip
  testHere(
    `${name}: what was acknowledged survives power cuts`,
    async () => {
      using mounted = new MountedDisk(disk)
      const dataDir = join(mounted.path, 'data')
      const ledger = new Ledger()
      for (let round = 0; round < ROUNDS; round++) {
        const service = await startService({ dataDir })
        await ledger.write(
          () => service,
          async () => {
            await ledger.more(40)
            await sleep((round * 137) % 900)
            await mounted.cut(() => service.kill())
          },
        )
        await using again = await startService({ dataDir })
        await ledger.check(again)
        const { body } = await ask<{ parts: { status: string }[] }>(again, 'GET', '/healthz')
        const named = again.stderr.split('\n').filter((line) => line.includes('"damaged"'))
        expect([body.parts.filter(({ status }) => status !== 'ok'), named]).toEqual([[], []])
        await again.stop()
        tried(1)
      }
    },
    600_000,
  )
}
