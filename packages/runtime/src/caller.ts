/**
 * Whose request something is done for, for whatever finds out on the way which permissions it takes.
 * Deliberately not here: tokens; http/auth.ts makes one of the token of a request.
 */
import type { Permission } from '@deployment-annotations/contract/token'

/** Whose request something is done for. */
export interface Caller {
  /** Of the token. */
  id: string
  /** When the request came, by the monotonic clock. */
  sinceMs: number
  /** The only datasets that the token reaches; `undefined`: all. */
  limit: readonly string[] | undefined
  /** @param dataset absent: with any one */
  may(permission: Permission, dataset?: string): boolean
  /**
   * @param purpose what for, as the end of a sentence
   * @throws ServiceError `forbidden` where the token lacks the permission
   */
  require(permission: Permission, purpose: string, dataset?: string): void
}
