/** Requests to the endpoint of releases. */
import { RELEASE_CALLS, type RELEASES } from '@deployment-annotations/contract/release'
import { createCalls, type RequestsOf } from './request.ts'

export const { list: listReleases, changes: listChanges } =
  createCalls<RequestsOf<typeof RELEASE_CALLS, typeof RELEASES>>(RELEASE_CALLS)
