/**
 * The addresses of ClickHouse servers with the same data. A statement goes to the first address that works. One that failed is skipped
 * for some seconds and then tried again. A server that hangs accepts connections, so one that is silent is asked whether it lives.
 * Statements that certainly did not arrive, and all reads, are repeated on the next address at once; any other statement with an unknown
 * outcome is not repeated.
 * Deliberately not here: the meaning of errors from a server (engine-failures.ts).
 */
import { types } from 'node:util'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { describeEffect, engineCode, type StatementKind } from '../engine/engine-failures.ts'

interface AddressOptions {
  /** The name under which the server lists this client. */
  application: string
  /** The most connections to each address for statements. One more asks whether it lives, and ends statements. */
  connections: number
  /** A statement without an answer for this long has failed. */
  requestMsMax: number
}

interface Address {
  /** Host and port, without the secrets of the URL. */
  host: string
  client: ClickHouseClient
  /** When it last answered a statement; a new address is taken to have answered. */
  answeredMs: number
  /** Until then other addresses are tried first, because this one failed. */
  awayUntilMs: number
}

/** How long an address that failed is skipped. */
const AWAY_MS = 5_000
/**
 * The client closes connections that are idle for this long, before the server does. The next statement needs a new one, which a host
 * that is switched off does not refuse, so it is asked first whether it lives: of an unanswered statement nobody would know whether it
 * arrived.
 */
const IDLE_MS_MAX = 2_500
/** A server that has not answered a statement for this long is asked whether it lives, and again after as long. */
const SILENT_MS = 3_000
/** A server that does not even answer that within this time hangs; less than {@link SILENT_MS}. */
const PING_MS_MAX = 2_500

/** @param abort_signal aborts when the server hangs */
export type ServerTask<T> = (client: ClickHouseClient, index: number, abort_signal: AbortSignal) => Promise<T>

export class ServerAddresses {
  readonly #addresses: readonly Address[]

  constructor(urls: readonly URL[], { application, connections, requestMsMax }: AddressOptions) {
    this.#addresses = urls.map((url) => ({
      host: url.host,
      client: createClient({
        url,
        application,
        max_open_connections: connections + 1,
        keep_alive: { idle_socket_ttl: IDLE_MS_MAX, eagerly_destroy_stale_sockets: true },
        request_timeout: requestMsMax,
        log: { level: ClickHouseLogLevel.OFF },
      }),
      answeredMs: performance.now(),
      awayUntilMs: 0,
    }))
  }

  /** A name for messages. */
  get name(): string {
    return nameOf(this.#addresses.map(({ host }) => host))
  }

  /**
   * Runs a statement on an address that works.
   * @param task is given a client, the number of its address, and a signal
   * @param mayRepeat whether it does no harm if the statement arrives twice
   * @throws ServiceError `unavailable`; errors from a server, with the `host` that sent them
   */
  async run<T>(kind: StatementKind, task: ServerTask<T>, mayRepeat = kind === 'read'): Promise<T> {
    const failures: { host: string; reason: string }[] = []
    let mayHaveTakenEffect = false
    let cause: unknown
    for (const address of this.#inOrder()) {
      let isSent = false
      try {
        const nowMs = performance.now()
        // Until the statement succeeds, other requests skip an address that failed.
        if (address.awayUntilMs > 0) address.awayUntilMs = nowMs + AWAY_MS
        if (address.awayUntilMs > 0 || nowMs - address.answeredMs > IDLE_MS_MAX) await ping(address.client)
        isSent = true
        const { client } = address
        const result = await whileAlive(client, (signal) => task(client, this.#addresses.indexOf(address), signal))
        Object.assign(address, { answeredMs: performance.now(), awayUntilMs: 0 })
        return result
      } catch (error) {
        const failure = describeConnectionFailure(error)
        if (!failure) throw Object.assign(error as Error, { host: address.host })
        address.awayUntilMs = performance.now() + AWAY_MS
        cause = error
        failures.push({ host: address.host, reason: failure.reason })
        const isUnsent = failure.isUnsent || !isSent
        mayHaveTakenEffect ||= !isUnsent && kind !== 'read'
        if (!isUnsent && !mayRepeat) break
      }
    }
    const reasons = failures.map(({ host, reason }) => (failures.length > 1 ? `${host}: ${reason}` : reason)).join('; ')
    throw new ServiceError(
      'unavailable',
      `${nameOf(failures.map(({ host }) => host))} cannot be reached (${reasons})${describeEffect(kind, mayHaveTakenEffect)}; try again`,
      { cause, mayHaveTakenEffect },
    )
  }

  async close(): Promise<void> {
    for (const { client } of this.#addresses) await client.close()
  }

  /** Returns the working addresses in the given order, then the others, the one that failed longest ago first. */
  #inOrder(): Address[] {
    const now = performance.now()
    const rank = ({ awayUntilMs }: Address) => (awayUntilMs > now ? awayUntilMs : 0)
    return [...this.#addresses].sort((a, b) => rank(a) - rank(b))
  }
}

/** @throws Error if the server says nothing. Any other outcome is for a statement to find out: a gateway may not pass this on */
async function ping(client: ClickHouseClient): Promise<void> {
  const late = AbortSignal.timeout(PING_MS_MAX)
  await client.ping({ select: false, abort_signal: late })
  if (late.aborted) throw new Error(SILENCE)
}

/** Runs a task for as long as the server answers at all. */
async function whileAlive<T>(client: ClickHouseClient, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const hangs = new AbortController()
  const timer = setInterval(() => void ping(client).catch(() => hangs.abort()), SILENT_MS)
  try {
    return await task(hangs.signal)
  } catch (cause) {
    throw hangs.signal.aborted ? new Error(SILENCE, { cause }) : cause
  } finally {
    clearInterval(timer)
  }
}

function nameOf(hosts: readonly string[]): string {
  return hosts.length === 1 ? `the ClickHouse server at ${hosts[0]}` : `the ClickHouse servers at ${hosts.join(', ')}`
}

/** If one of these calls failed, nothing of the statement was sent. */
const UNSENT_CALLS = new Set(['connect', 'getaddrinfo'])
/** The TLS handshake failed, because of certificates or versions. */
const UNSENT_TLS = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO$)/
const LOST = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|ERR_STREAM_|HPE_)/

/** AUTHENTICATION_FAILED: the server is not ready yet, and did nothing. */
const REFUSED = '516'
/** UNKNOWN_DATABASE: this server has lost it, or another one of its cluster. */
const NO_DATABASE = '81'

/** The words of the client. */
const SILENCE = 'Timeout error.'

/** @returns why a server could not be reached, and whether it certainly received nothing; `undefined` for errors from the server */
function describeConnectionFailure(error: unknown): { reason: string; isUnsent: boolean } | undefined {
  if (!types.isNativeError(error)) return undefined
  const code = engineCode(error)
  if (code === REFUSED) return { reason: 'it refuses the user or the password', isUnsent: true }
  if (code === NO_DATABASE) return { reason: 'it has no such database', isUnsent: false }
  if (code === undefined) {
    // Errors are told apart by name, because the client has no class for these two, and a mistake in this program is a TypeError or the
    // like.
    if (error.name !== 'Error') return undefined
    const isSilence = error.message === SILENCE
    return { reason: isSilence ? 'no answer in time' : 'the answer is not one of ClickHouse', isUnsent: false }
  }
  // If a name has several addresses and none accepted the connection, there is an error for each.
  const { errors: [first] = [error] } = error as { errors?: NodeJS.ErrnoException[] }
  const { syscall = '', message }: NodeJS.ErrnoException = first ?? error
  const isUnsent = UNSENT_CALLS.has(syscall) || UNSENT_TLS.test(code)
  return isUnsent || LOST.test(code) ? { reason: message, isUnsent } : undefined
}
