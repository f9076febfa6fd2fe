/**
 * Organizations, to be read: our service has one, itself.
 */
import { ORGANIZATIONS_PATH, organizationPath } from '@deployment-annotations/contract/organization'
import type { Organization as WireOrganization } from '@deployment-annotations/contract/schemas/organization'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { createAsk, listWith, oneWith } from './resources.ts'

/** Members that the hosted service may leave out are optional here. */
export type Organization = Pick<WireOrganization, 'id' | 'name'> & Partial<WireOrganization>

export interface OrganizationsClient {
  list(options?: CallOptions): Promise<Organization[]>
  get(id: string, options?: CallOptions): Promise<Organization>
}

export function createOrganizationsClient(connection: Connection): OrganizationsClient {
  const ask = createAsk(connection)
  return {
    list: (options) => ask('GET', ORGANIZATIONS_PATH, { read: listWith<Organization>('id'), options }),
    get: (id, options) => ask('GET', organizationPath(id), { read: oneWith<Organization>('id'), options }),
  }
}
