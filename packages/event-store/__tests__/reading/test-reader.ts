import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from '@jest/globals'
import { openEmbeddedReader } from '../../src/reading/embedded-reader.ts'
import { READ_LIMITS } from '../../src/reading/reader.ts'

/** @param limits beside those of any reader @returns a reader for all tests of the file, and the directory of its engine */
export function readerForTests(limits: Partial<typeof READ_LIMITS> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'reader-'))
  const directory = join(dataDir, 'engine')
  const reader = openEmbeddedReader(directory, { ...READ_LIMITS, ...limits })
  afterAll(async () => {
    await reader.close()
    rmSync(dataDir, { recursive: true })
  })
  return { reader, directory }
}
