/** A client of the service of a file. */
import { type Client, createClient } from '../../packages/client/src/index.ts'
import { disposedAfterTests } from './for-tests.ts'
import type { RunningService } from './service.ts'

/** @returns a client for all tests of the file, whose members are there once the tests begin */
export const clientForTests = (service: Pick<RunningService, 'url' | 'token'>): Client =>
  disposedAfterTests(async () => createClient({ token: service.token, baseUrl: service.url }))
