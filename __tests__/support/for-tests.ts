/**
 * What all tests of a file share, which starts before the first of them and ends after the last; and what each has one of.
 * Deliberately not here: the services themselves (service.ts), which also run where no tests are.
 *
 *   const service = serviceForTests()
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import { type RunningService, type StartOptions, startService } from './service.ts'

/** @returns what `start` gives, whose members are there once the tests begin; `end` gets it after the last of them */
export function sharedByTests<T extends object>(start: () => Promise<T>, end: (shared: T) => Promise<unknown>): T {
  const shared = {} as T
  let started: T | undefined
  beforeAll(async () => {
    started = await start()
    // Members that are read anew each time, such as the log, have to stay so.
    Object.defineProperties(shared, Object.getOwnPropertyDescriptors(started))
  })
  afterAll(() => started && end(started))
  return shared
}

/** @returns what `start` gives for the test that runs, from before it to after it; not for tests that are concurrent */
export function ofEachTest<T extends AsyncDisposable>(start: () => Promise<T>): T {
  const current = {} as T
  let started: T | undefined
  beforeEach(async () => {
    started = await start()
    Object.defineProperties(current, Object.getOwnPropertyDescriptors(started))
  })
  afterEach(async () => await started?.[Symbol.asyncDispose]())
  return current
}

/** @returns a service for all tests of the file */
export function serviceForTests(options: StartOptions = {}): RunningService {
  return sharedByTests(
    () => startService(options),
    (service) => service[Symbol.asyncDispose](),
  )
}

/** @returns the path of a new folder, which is removed after the last test of the file */
export function folderForTests(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
