/**
 * The real service for all tests of a file: started before them, and ended after them with its data.
 *
 *   const service = useService()
 */
import { afterAll, beforeAll } from '@jest/globals'
import { type RunningService, type StartOptions, startService } from './service.ts'

/** @returns the service, which has its members once the first test begins, or the first `beforeAll` after this call */
export function useService(options: StartOptions = {}): RunningService {
  const service: Partial<RunningService> = {}
  beforeAll(async () => {
    Object.defineProperties(service, Object.getOwnPropertyDescriptors(await startService(options)))
  })
  afterAll(() => service[Symbol.asyncDispose]?.())
  return service as RunningService
}
