/** Requests to the endpoint of releases. */
import { RELEASE_CALLS, type RELEASES, type Releases } from '@deployment-annotations/contract/release'
import { createCalls, type RequestsOf } from './request.ts'

const { list } = createCalls<RequestsOf<typeof RELEASE_CALLS, typeof RELEASES>>(RELEASE_CALLS)

interface Asked {
  startMs: number
  /** Empty for all. */
  service: string
  environment: string
}

export function listReleases({ startMs, service, environment }: Asked, signal: AbortSignal): Promise<Releases> {
  return list({ start: new Date(startMs).toISOString(), service, environment }, signal)
}
