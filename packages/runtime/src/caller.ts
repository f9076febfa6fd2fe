/**
 * The caller of a request, so that code that finds out late which permissions it needs can still check them. Deliberately not here:
 * tokens; http/auth.ts creates a caller from the token of a request.
 */
import type { Permission } from '@deployment-annotations/contract/permission'

export interface Caller {
  /** The id of the token. */
  id: string
  /** When the request arrived, by the monotonic clock. */
  sinceMs: number
  /** The only datasets that the token may use; `undefined` for all. */
  limit: readonly string[] | undefined
  /** @param dataset if absent, any dataset will do */
  may(permission: Permission, dataset?: string): boolean
  /**
   * @param purpose the end of a sentence that says why the permission is needed
   * @throws ServiceError `forbidden` if the token lacks the permission
   */
  require(permission: Permission, purpose: string, dataset?: string): void
}
