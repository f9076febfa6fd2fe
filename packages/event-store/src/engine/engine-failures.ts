/**
 * Translates failures into errors of the service: failures of the engine (full, busy or away, and whether the statement may have taken
 * effect) and of the system (no more open files, a failed disk). Any other error of the engine is a mistake in this program and is not
 * translated.
 * Deliberately not here: failed connections (server-addresses.ts), and failed queries (reading/engine-errors.ts).
 */
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'

/** The effect of a statement: a read may be repeated, and only an insert adds rows. */
export type StatementKind = 'read' | 'change' | 'insert'

/** The place where a statement ran. */
interface StatementPlace {
  kind: StatementKind
  /** The name in messages, such as `the ClickHouse server at host:8123`. */
  name: string
  /** Whether the statement may have reached only some of several hosts. */
  reachesManyHosts?: boolean
}

/** Whether the engine, or a part of it, does not answer. */
export function isAway(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'unavailable'
}

/** @returns the engine's error code as text */
export function engineCode(error: unknown): string | undefined {
  const { clickhouseCode, code } = (error ?? {}) as { clickhouseCode?: unknown; code?: unknown }
  const number = clickhouseCode ?? code
  return number === undefined ? undefined : String(number)
}

/** The codes of the engine and of the system. */
const NOT_ENOUGH_SPACE = new Set(['243', 'ENOSPC', 'EDQUOT'])
const TIMEOUT_EXCEEDED = '159'

/** MEMORY_LIMIT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, TOO_MANY_PARTS, SERVER_OVERLOADED */
const BUSY = new Set([TIMEOUT_EXCEEDED, '241', '202', '252', '745'])

/**
 * A server, one of its shards or Keeper is unavailable, or about to be.
 * ATTEMPT_TO_READ_AFTER_EOF, UNKNOWN_DATABASE, UNEXPECTED_PACKET_FROM_SERVER, DNS_ERROR, NO_FREE_CONNECTION, SOCKET_TIMEOUT, NETWORK_ERROR, NO_ZOOKEEPER,
 * ABORTED, TABLE_IS_READ_ONLY, ALL_CONNECTION_TRIES_FAILED, TOO_FEW_LIVE_REPLICAS, UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE,
 * REPLICA_IS_NOT_IN_QUORUM, UNKNOWN_STATUS_OF_INSERT, UNFINISHED, ALL_REPLICAS_LOST, REPLICA_STATUS_CHANGED, AUTHENTICATION_FAILED,
 * KEEPER_EXCEPTION
 */
const AWAY = new Set('32 81 101 198 203 209 210 225 236 242 279 285 286 289 319 341 415 416 516 999'.split(' '))

/** UNKNOWN_TABLE, TABLE_IS_DROPPED; and what a host of a cluster says of one that lacks the table, whose code is that of a host that is away. */
const NO_TABLE = new Set(['60', '218'])
const NO_TABLE_ELSEWHERE = /There is no table .* on server: /

interface MissingTable {
  table: string
  /** The host that lacks it, in words. */
  place: string
  /** The end of the message, which says whether the statement took effect. */
  effect: string
  cause: unknown
  mayHaveTakenEffect: boolean
}

/**
 * A host lacks a table of events. Either its dataset was deleted while a request was under way, or the host has lost the table while the
 * dataset exists: the engine cannot tell, and `Datasets.explain` asks the records.
 */
export class MissingTableError extends ServiceError {
  readonly missing: MissingTable

  /** @param dataset of the table, if the records have it */
  constructor(missing: MissingTable, dataset?: string) {
    const { table, place, effect, cause, mayHaveTakenEffect } = missing
    const of = dataset === undefined ? '' : ` of the dataset ${quoted(dataset)}`
    const message = `the table ${table}${of} is missing: ${place} does not have it${effect}; the operator of the service has to look at it`
    super('unavailable', message, { cause, mayHaveTakenEffect })
    this.missing = missing
  }
}

/** A task for many tables goes on without the one that is missing, which DamagedTables names. */
export function ignoreMissing(error: unknown): void {
  const isMissing = error instanceof MissingTableError || (error as Error).cause instanceof MissingTableError
  if (!isMissing) throw error
}

/** @returns the table of a dataset, or of a large request, that the engine's text says is missing; undefined if it is another one */
function findEventTable(text: string): string | undefined {
  // The engine may repeat the whole statement, which has other tables, too. On a cluster it may name the table of a shard.
  const [problem = ''] = text.split(' in scope ')
  return /\b(?:events|staging)_[a-z0-9]+/.exec(problem)?.[0]
}

/** @returns the host that failed, in words, if the error names one: the one that another host of its cluster asked, or the one that answered */
function hostOf(cause: unknown): string | undefined {
  const host = /(?:Received from|on server:) ([^\s,]+?)\.?[,\s]/.exec(String(cause))?.[1] ?? (cause as { host?: string }).host
  return host === undefined ? undefined : `the ClickHouse server at ${host}`
}

/** After these codes even an insert into one table of one server may have been stored. QUERY_WAS_CANCELLED is 394. */
const UNCERTAIN = new Set(['32', TIMEOUT_EXCEEDED, '209', '210', '236', '319', '394', '999'])

/** @returns the error to throw; an error that cannot be translated is returned unchanged */
export function describeFailure(cause: unknown, { kind, name, reachesManyHosts = false }: StatementPlace): unknown {
  if (cause instanceof ServiceError) return cause
  // The class is not compared, because the embedded engine's errors come from the other package's copy of it.
  const code = engineCode(cause) ?? ''
  const mayHaveTakenEffect = kind !== 'read' && (reachesManyHosts || UNCERTAIN.has(code))
  const effect = describeEffect(kind, mayHaveTakenEffect)
  const details = { cause, mayHaveTakenEffect }
  if (NOT_ENOUGH_SPACE.has(code) || String(cause).includes('No space left on device'))
    return new ServiceError('storage_full', `the disk is full${effect}`, details)
  const fault = describeSystemFault(cause, effect)
  if (fault) return fault
  const isMissing = NO_TABLE.has(code) || NO_TABLE_ELSEWHERE.test(String(cause))
  const table = isMissing ? findEventTable(String(cause)) : undefined
  if (table !== undefined) return new MissingTableError({ table, place: hostOf(cause) ?? name, effect, ...details })
  // If a host does not answer in time, a statement for all hosts continues in the background.
  if (AWAY.has(code) || (code === TIMEOUT_EXCEEDED && reachesManyHosts && kind === 'change')) {
    const { type } = cause as { type?: string }
    return new ServiceError(
      'unavailable',
      `${hostOf(cause) ?? name} cannot do this now${type ? ` (${type})` : ''}${effect}`,
      details,
    )
  }
  if (!BUSY.has(code)) return cause
  const narrow = kind === 'read' ? '; narrow it or try again' : `${effect}; try again`
  return new ServiceError('overloaded', `the request took more time or memory than the store allows${narrow}`, details)
}

/** @returns the end of a message, which says whether the statement took effect */
export function describeEffect(kind: StatementKind, mayHaveTakenEffect: boolean): string {
  if (kind === 'read') return ''
  if (!mayHaveTakenEffect) return kind === 'insert' ? '; nothing was stored' : '; nothing was changed'
  return kind === 'insert' ? '; what was sent may have been stored' : '; the change may have been made'
}

const NO_FILE_HANDLES = /\bE[MN]FILE\b|Too many open files/
const DISK_FAILED = /\b(?:EIO|EROFS)\b|Input\/output error|[Rr]ead-only file system/

/** @param effect the end of the message, which says whether the statement took effect */
export function describeSystemFault(cause: unknown, effect = ''): ServiceError | undefined {
  const fault = (what: string) => new ServiceError('unavailable', `${what}${effect}; its operator has to look at it`, { cause })
  if (NO_FILE_HANDLES.test(String(cause))) return fault('the service has no file handles left')
  return isDiskFailure(cause) ? fault('the disk of the service has failed, or was made read-only') : undefined
}

/** Whether the error, or a cause of it, is a failure of the disk. */
export function isDiskFailure(error: unknown): boolean {
  if (error === undefined || error === null) return false
  return DISK_FAILED.test(String(error)) || isDiskFailure((error as { cause?: unknown }).cause)
}
