/** What is said of what is not there: the same where the caller does not reach it. */
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'

/** @throws ServiceError `not_found` */
export function requireFound<T extends object>(found: T | false | undefined, kind: string, id: string): T {
  if (found) return found
  throw new ServiceError('not_found', `${kind} ${quoted(id)} not found`)
}
