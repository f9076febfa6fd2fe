/**
 * Translates errors of PostgreSQL and of the network into errors of the service. Deliberately not here: conflicts of two transactions,
 * which are retried in postgres-records.ts.
 */
import { hideLogin } from '@deployment-annotations/contract/address'
import { ServiceError } from '@deployment-annotations/runtime/errors'

const DISK_FULL = '53100'
const STARTING = '57P03'
const TOOK_TOO_LONG = '57014'
/**
 * The codes of a server that stops, starts, is read-only after a failover, lacks the database or the user, or took too long. Class 08
 * is for connections, 53 for exhausted resources, 28 for authorization.
 */
const AWAY = /^(?:08...|53...|28...|57P0[123]|57014|25006|3D000)$/
/** The codes of Node for network errors, such as `ECONNREFUSED`. */
const NETWORK = /^E[A-Z_]{3,}$/

/** @returns a ServiceError for errors that pass or that the operator can fix; any other error unchanged */
export function translatePostgresError(cause: unknown, url: URL): unknown {
  const code = codeOf(cause)
  if (code === DISK_FULL) {
    return new ServiceError('storage_full', 'the disk of the records is full; nothing was stored', { cause })
  }
  if (!AWAY.test(code) && !NETWORK.test(code) && !isOfTheDriver(cause)) return cause
  return new ServiceError('unavailable', `the records at ${shownUrl(url)} cannot be reached; try again in a moment`, { cause })
}

/** Whether the server is starting, or accepted the connection and then did not answer in time. */
export function isNotReadyYet(error: unknown): boolean {
  const { cause = error } = error instanceof Error ? error : {}
  return [STARTING, TOOK_TOO_LONG].includes(codeOf(cause)) || isOfTheDriver(cause)
}

/** The driver's own errors have no code: "Connection terminated unexpectedly", "Query read timeout". */
function isOfTheDriver(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '' && /connection|timeout/i.test(error.message)
}

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}

/** @returns the URL without user, password and parameters */
export function shownUrl({ host, pathname }: URL): string {
  return hideLogin(`postgres://${host}${pathname}`)
}
