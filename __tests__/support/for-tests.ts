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
import { ingest } from './fill.ts'
import { type RunningService, type StartOptions, startService } from './service.ts'

type Endings = (() => unknown)[]
/** How to end what runs for all tests, and what runs for one. What was started last ends first, because it may use the others. */
const [ofAll, ofOne]: [Endings, Endings] = [[], []]
const endLast = (endings: Endings) => async () => void (await endings.pop()?.())

/** @returns what `start` gives, whose members are there once the tests begin; `end` gets it after the last of them */
export function sharedByTests<T extends object>(start: () => Promise<T>, end: (shared: T) => PromiseLike<unknown>): T {
  const shared = {} as T
  beforeAll(async () => {
    let started: T | undefined
    ofAll.push(() => started && end(started))
    started = await start()
    // Members that are read anew each time, such as the log, have to stay so.
    Object.defineProperties(shared, Object.getOwnPropertyDescriptors(started))
  })
  afterAll(endLast(ofAll))
  return shared
}

/** @returns what `start` gives for all tests of the file, which is disposed of after the last of them */
export const disposedAfterTests = <T extends AsyncDisposable>(start: () => Promise<T>): T =>
  sharedByTests(start, (shared) => shared[Symbol.asyncDispose]())

/** @returns what `start` gives for the test that runs, from before it to after it; not for tests that are concurrent */
export function ofEachTest<T extends AsyncDisposable>(start: () => Promise<T>): T {
  const current = {} as T
  beforeEach(async () => {
    const started = await start()
    ofOne.push(() => started[Symbol.asyncDispose]())
    Object.defineProperties(current, Object.getOwnPropertyDescriptors(started))
  })
  afterEach(endLast(ofOne))
  return current
}

/** @returns a service for all tests of the file */
export const serviceForTests = (options: StartOptions = {}): RunningService => disposedAfterTests(() => startService(options))

/** @returns such a service, which has these events by their dataset */
export function serviceWithEvents(events: Readonly<Record<string, readonly object[]>>, options?: StartOptions): RunningService {
  const service = serviceForTests(options)
  beforeAll(async () => {
    for (const [dataset, some] of Object.entries(events)) await ingest(service, dataset, some)
  })
  return service
}

/** @returns the path of a new folder, which is removed after the last test of the file */
export function folderForTests(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  beforeAll(() => void ofAll.push(() => rmSync(folder, { recursive: true, force: true })))
  afterAll(endLast(ofAll))
  return folder
}
