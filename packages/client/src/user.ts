/**
 * Whose token this is, and what it may do.
 */
import type { OwnPermissions, User } from '@deployment-annotations/contract/schemas/token'
import { OWN_PERMISSIONS_PATH, USER_PATH } from '@deployment-annotations/contract/token'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { createAsk, oneWith, oneWithLists } from './resources.ts'

/** Members that the hosted service may leave out are optional here. */
export type Owner = Pick<User, 'id' | 'name'> & Partial<User>

export interface UserClient {
  /** Programs check their credentials with it. */
  get(options?: CallOptions): Promise<Owner>
  /** What the token may do with all datasets, or with those that it names. Specific to our service. */
  permissions(options?: CallOptions): Promise<OwnPermissions>
}

export function createUserClient(connection: Connection): UserClient {
  const ask = createAsk(connection)
  return {
    get: (options) => ask('GET', USER_PATH, { read: oneWith<Owner>('name'), options }),
    permissions: (options) => ask('GET', OWN_PERMISSIONS_PATH, { read: oneWithLists<OwnPermissions>('permissions'), options }),
  }
}
