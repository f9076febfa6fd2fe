/**
 * The one organization that there is: this service. Its shape is in schemas/organization.ts.
 */
import { toSegment } from './text.ts'

export const ORGANIZATIONS_PATH = '/v2/orgs'
/** The id of the organization: no client chooses it, and whatever id a client sends beside a request is ignored. */
export const ORGANIZATION_ID = 'self-hosted'

/** @returns the path of one organization, its id escaped */
export function organizationPath(id: string): string {
  return `${ORGANIZATIONS_PATH}/${toSegment(id)}`
}
