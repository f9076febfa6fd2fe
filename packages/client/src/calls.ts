/**
 * One call of the client: a request (request.ts) that is sent over a connection, again where that may help, until its
 * reply is there or its time is over.
 */
import { type Connection, DEFAULT_BASE_URL } from './connection.ts'
import { ClientError, ConfigError, type ErrorDetails, ProtocolError } from './errors.ts'
import type { Reply } from './reply.ts'
import { type ApiRequest, sendRequest } from './request.ts'
import { Budget, classify } from './retry.ts'
import { readCode } from './transport.ts'

/** What every call takes besides its subject. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason; default none. */
  signal?: AbortSignal
  /** Total time for this call in milliseconds, retries included; default `timeoutMs` of the client. */
  timeoutMs?: number
  /** Called when no usable answer came to a create, before it is looked for; default none. */
  onLostAnswer?: () => void
  /** Called after every failure that is followed by another try, with the pause before it in milliseconds; default none. */
  onRetry?: (error: ClientError, waitMs: number) => void
}

/**
 * What became of a request whose answer was lost. `absent`: it has had no effect, repeat it. `unknown`: that could not be
 * found out, repeat it all the same. `give-up`: neither found out nor to be repeated.
 */
export type Recovery<T> = { found: T } | 'absent' | 'unknown' | 'give-up'

/** What calls that serve one end have in common: where to, how, and the time that all of them together may take. */
export interface CallContext<Options extends CallOptions = CallOptions> {
  connection: Connection
  options: Options
  budget: Budget
}

export interface Call<T> extends ApiRequest {
  /** Takes the reply apart. @throws ProtocolError */
  read: (reply: Reply) => T
  /** Asked after a failure that may hide a success; without it the request is simply repeated. */
  recover?: ((failure: ClientError) => Promise<Recovery<T>>) | undefined
  /** Failures that would only come again, besides those that are final for all calls. */
  isFinal?: (failure: ClientError) => boolean
}

/** An answer may be cut once. What answers so again is something else: a portal's page, or another service. */
const GARBLED_RETRIES_MAX = 1
/** These take some seconds, in which a network may come up. A name that no name server knows after them is mistyped, and no outage. */
const UNKNOWN_HOST_TRIES = 5

export function startContext<Options extends CallOptions>(connection: Connection, options: Options): CallContext<Options> {
  const budget = new Budget(connection.clock, options.timeoutMs ?? connection.timeoutMs, options.signal)
  return { connection, options, budget }
}

/**
 * Repeats a request until it succeeds, fails for good, or the budget does not hold another pause.
 * @throws the last ClientError, which tells attempts, time and whether the request may have taken effect; the caller's own
 *   abort reason where the caller gave up
 */
export async function runCall<T>({ connection, options, budget }: CallContext, call: Call<T>): Promise<T> {
  const { read, recover, isFinal, ...request } = call
  let mayHaveTakenEffect = false
  let garbled = 0
  const tell = (error: ClientError) =>
    remake(error, { attempts: budget.attempts, elapsedMs: budget.elapsedMs, mayHaveTakenEffect })
  for (let tries = 0; ; tries++) {
    try {
      return read(await sendRequest(connection, request, budget.startAttempt(request.attemptShare)))
    } catch (error) {
      budget.signal.throwIfAborted()
      if (!(error instanceof ClientError)) throw error
      const disposition = classify(error)
      mayHaveTakenEffect ||= disposition === 'ambiguous'
      const failure = tell(error)
      if (disposition === 'final' || isFinal?.(failure)) throw failure
      if (disposition === 'ambiguous' && recover) {
        options.onLostAnswer?.()
        const recovery = await recover(failure)
        if (recovery === 'give-up') throw tell(error)
        if (typeof recovery === 'object') return recovery.found
        mayHaveTakenEffect = recovery === 'unknown'
      }
      if (error instanceof ProtocolError && ++garbled > GARBLED_RETRIES_MAX) throw tell(error)
      const unknown = findUnknownHost(error, connection.baseUrl)
      const isTypo = unknown !== undefined && tries + 1 >= UNKNOWN_HOST_TRIES
      const waitMs = isTypo ? undefined : budget.pauseMs(error, tries)
      if (waitMs === undefined) throw tell(unknown === undefined ? error : new ConfigError(`${error.message}: ${unknown}`, error))
      options.onRetry?.(failure, waitMs)
      await budget.sleep(waitMs)
    }
  }
}

/** @returns that no name server knows a host that somebody has given, in words that end with where; `undefined` for another failure */
function findUnknownHost({ cause }: ClientError, baseUrl: URL): string | undefined {
  if (readCode(cause) !== 'ENOTFOUND') return undefined
  const { proxyVariable } = cause as { proxyVariable?: string }
  if (proxyVariable !== undefined) return `no name server knows the host in the variable ${proxyVariable}`
  return baseUrl.origin === DEFAULT_BASE_URL ? undefined : 'no name server knows the host of baseUrl'
}

/** @returns the same error, which tells of the whole call; errors are not changed once they are made */
function remake(error: ClientError, progress: ErrorDetails): ClientError {
  const Same = error.constructor as new (message: string, details: ErrorDetails) => ClientError
  const remade = new Same(error.message, { ...error, cause: error.cause, ...progress })
  remade.stack = error.stack ?? ''
  return remade
}
