/**
 * What the system refuses to this process whatever it does, as answers: no more open files, or a disk that has failed. Node and the
 * engine say so in texts of their own. Deliberately not here: a disk that is full.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'

const NO_FILE_HANDLES = /\bE[MN]FILE\b|Too many open files/
const DISK_FAILED = /\b(?:EIO|EROFS)\b|Input\/output error|[Rr]ead-only file system/

/** @param effect what became of the statement, as the end of a message */
export function describeSystemFault(cause: unknown, effect = ''): ServiceError | undefined {
  const operator = 'its operator has to look at it'
  if (NO_FILE_HANDLES.test(String(cause)))
    return new ServiceError('unavailable', `the service has no file handles left${effect}; ${operator}`, { cause })
  if (isDiskFailure(cause))
    return new ServiceError('unavailable', `the disk of the service has failed, or was made read-only${effect}; ${operator}`, {
      cause,
    })
  return undefined
}

/** Whether the disk failed, or that is what the error came of. */
export function isDiskFailure(error: unknown): boolean {
  if (error === undefined || error === null) return false
  return DISK_FAILED.test(String(error)) || isDiskFailure((error as { cause?: unknown }).cause)
}
