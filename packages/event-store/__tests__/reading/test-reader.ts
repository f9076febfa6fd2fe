import { join } from 'node:path'
import { afterAll } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { openEmbeddedReader } from '../../src/reading/embedded-reader.ts'
import { READ_LIMITS } from '../../src/reading/reader.ts'

/** @param limits beside those of any reader @returns a reader for all tests of the file, and the directory of its engine */
export function readerForTests(limits: Partial<typeof READ_LIMITS> = {}) {
  // It ends before its folder goes.
  afterAll(() => reader.close())
  const directory = join(folderForTests('reader'), 'engine')
  const reader = openEmbeddedReader(directory, { ...READ_LIMITS, ...limits })
  return { reader, directory }
}
