/**
 * What PostgreSQL and the way to it report, in the service's own words. Deliberately not here: conflicts of two transactions,
 * after which one is tried again; see postgres-records.ts.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'

const DISK_FULL = '53100'
const STARTING = '57P03'
const TOOK_TOO_LONG = '57014'
/**
 * The server ends, starts, only reads after a failover, does not know its own database or this user any more, or took too long.
 * 08 is its word for connections, 53 for what it has run out of, 28 for who may come in.
 */
const AWAY = /^(?:08...|53...|28...|57P0[123]|57014|25006|3D000)$/
/** Codes of Node's for the network: `ECONNREFUSED`. */
const NETWORK = /^E[A-Z_]{3,}$/

/** @returns a ServiceError for what the operator has to mend or what passes; everything else as it is */
export function translatePostgresError(cause: unknown, url: URL): unknown {
  const code = codeOf(cause)
  if (code === DISK_FULL) {
    return new ServiceError('storage_full', 'the disk of the records is full; nothing was stored', { cause })
  }
  if (!AWAY.test(code) && !NETWORK.test(code) && !isOfTheDriver(cause)) return cause
  return new ServiceError('unavailable', `the records at ${shownUrl(url)} cannot be reached; try again in a moment`, { cause })
}

/** The server starts, or took the connection and said nothing in time. */
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

/** Without user, password and parameters. */
export function shownUrl({ host, pathname }: URL): string {
  return `postgres://${host}${pathname}`
}
