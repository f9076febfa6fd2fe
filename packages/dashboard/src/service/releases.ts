/** Requests to the endpoint of releases. */
import { RELEASES_PATH } from '@deployment-annotations/contract/release'
import type { Releases } from '@deployment-annotations/contract/schemas/release'
import { request } from './request.ts'

interface Asked {
  startMs: number
  /** Empty for all. */
  service: string
  environment: string
}

export function listReleases({ startMs, service, environment }: Asked, signal: AbortSignal): Promise<Releases> {
  return request<Releases>(RELEASES_PATH, { query: { start: new Date(startMs).toISOString(), service, environment }, signal })
}
