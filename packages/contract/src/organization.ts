/**
 * The one organization that there is: this service.
 */
import type { Static } from 'typebox'
import { toSegment } from './path.ts'
import type { OrganizationSchema } from './schemas/organization.ts'

export type Organization = Static<typeof OrganizationSchema>

export const ORGANIZATIONS_PATH = '/v2/orgs'
/** Its id: no client chooses it, and whatever id a client sends beside a request is ignored. */
export const ORGANIZATION_ID = 'self-hosted'

/** @returns the path of one organization, its id escaped */
export function organizationPath(id: string): string {
  return `${ORGANIZATIONS_PATH}/${toSegment(id)}`
}
