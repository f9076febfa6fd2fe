/**
 * The addresses of the ClickHouse servers, which all lead to the same data. A statement goes to the first one that works. One that
 * is away is passed over for some seconds and then tried again. What certainly did not arrive, and every read, is tried on the
 * next address at once; anything else whose outcome is not known is not repeated.
 * Deliberately not here: what a server answers (engine-failures.ts); such an answer is passed on as it came.
 */
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { types } from 'node:util'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { describeEffect, engineCode, type StatementKind } from '../engine/engine-failures.ts'

interface AddressOptions {
  /** How the server lists us. */
  application: string
  /** Connections to each address at most. */
  connections: number
  /** A statement without an answer for this long has failed. */
  requestMsMax: number
}

interface Address {
  /** Host and port: without what is secret in the URL. */
  host: string
  client: ClickHouseClient
  /** It did not work; others come first until then. */
  awayUntilMs: number
}

/** How long an address that did not work is passed over. */
const AWAY_MS = 5_000
/** A host that is switched off does not refuse a connection: it says nothing. */
const CONNECT_MS_MAX = 3_000
/** Idle connections are closed before the server does that, which is 3 s and more; a request would meet the closing. */
const IDLE_MS_MAX = 2_500

export class ServerAddresses {
  readonly #addresses: readonly Address[]

  constructor(urls: readonly URL[], { application, connections, requestMsMax }: AddressOptions) {
    this.#addresses = urls.map((url) => ({
      host: url.host,
      client: createClient({
        url,
        application,
        http_agent: createAgent(url, { keepAlive: true, maxSockets: connections, timeout: IDLE_MS_MAX }),
        request_timeout: requestMsMax,
        log: { level: ClickHouseLogLevel.OFF },
      }),
      awayUntilMs: 0,
    }))
  }

  /** For messages. */
  get name(): string {
    return nameOf(this.#addresses.map(({ host }) => host))
  }

  /**
   * Runs a statement on an address that works.
   * @param task gets a client, and the number of its address
   * @param mayRepeat it does no harm if the statement arrives twice
   * @throws ServiceError `unavailable`; what a server answers, as it came
   */
  async run<T>(
    kind: StatementKind,
    task: (client: ClickHouseClient, index: number) => Promise<T>,
    mayRepeat = kind === 'read',
  ): Promise<T> {
    const failures: { host: string; reason: string }[] = []
    let mayHaveTakenEffect = false
    let cause: unknown
    for (const address of this.#inOrder()) {
      // Until it is known to work, the others pass it over.
      if (address.awayUntilMs > 0) address.awayUntilMs = performance.now() + AWAY_MS
      try {
        const result = await task(address.client, this.#addresses.indexOf(address))
        address.awayUntilMs = 0
        return result
      } catch (error) {
        const failure = describeConnectionFailure(error)
        if (!failure) throw error
        address.awayUntilMs = performance.now() + AWAY_MS
        cause = error
        failures.push({ host: address.host, reason: failure.reason })
        mayHaveTakenEffect ||= !failure.isUnsent && kind !== 'read'
        if (!failure.isUnsent && !mayRepeat) break
      }
    }
    const reasons = failures.map(({ host, reason }) => (failures.length > 1 ? `${host}: ${reason}` : reason)).join('; ')
    throw new ServiceError(
      'unavailable',
      `${nameOf(failures.map(({ host }) => host))} cannot be reached (${reasons})${describeEffect(kind, mayHaveTakenEffect)}; try again`,
      { cause, mayHaveTakenEffect },
    )
  }

  /** The client of an address, whether or not it works. */
  clientAt(index: number): ClickHouseClient | undefined {
    return this.#addresses[index]?.client
  }

  async close(): Promise<void> {
    for (const { client } of this.#addresses) await client.close()
  }

  /** Those that work as they were given, then the others, the one that was away longest first. */
  #inOrder(): Address[] {
    const now = performance.now()
    const rank = ({ awayUntilMs }: Address) => (awayUntilMs > now ? awayUntilMs : 0)
    return [...this.#addresses].sort((a, b) => rank(a) - rank(b))
  }
}

function nameOf(hosts: readonly string[]): string {
  return hosts.length === 1 ? `the ClickHouse server at ${hosts[0]}` : `the ClickHouse servers at ${hosts.join(', ')}`
}

/** Before these nothing of a statement is sent. */
const UNSENT_CALLS = new Set(['connect', 'getaddrinfo'])
/** TLS was not agreed on: certificates and versions. */
const UNSENT_TLS = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO$)/
const LOST = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|ERR_STREAM_|HPE_)/

/** AUTHENTICATION_FAILED: the server is not ready for us, and did nothing. */
const REFUSED = '516'

/** @returns why a server could not be asked, and whether it certainly got nothing; `undefined` for what it answered */
function describeConnectionFailure(error: unknown): { reason: string; isUnsent: boolean } | undefined {
  if (!types.isNativeError(error)) return undefined
  const code = engineCode(error)
  if (code === REFUSED) return { reason: 'it refuses the user or the password', isUnsent: true }
  if (code === undefined) {
    // By name, because a mistake of ours is a TypeError or the like; the client has no class for these two.
    if (error.name !== 'Error') return undefined
    const isSilence = error.message === 'Timeout error.'
    return { reason: isSilence ? 'no answer in time' : 'the answer is not one of ClickHouse', isUnsent: false }
  }
  // A name with several addresses, none of which took the connection, has an error of each.
  const { errors: [first] = [error] } = error as { errors?: NodeJS.ErrnoException[] }
  const { syscall = '', message }: NodeJS.ErrnoException = first ?? error
  const isUnsent = UNSENT_CALLS.has(syscall) || UNSENT_TLS.test(code)
  return isUnsent || LOST.test(code) ? { reason: message, isUnsent } : undefined
}

function createAgent(url: URL, options: AgentOptions): Agent {
  return url.protocol === 'https:' ? new LimitedTlsAgent(options) : new LimitedAgent(options)
}

type Created = (error: Error | null, stream: Duplex) => void

class LimitedAgent extends Agent {
  override createConnection(options: ClientRequestArgs, created?: Created) {
    return limited(super.createConnection(options, created), 'connect')
  }
}

class LimitedTlsAgent extends TlsAgent {
  override createConnection(options: ClientRequestArgs, created?: Created) {
    return limited(super.createConnection(options, created), 'secureConnect')
  }
}

/** Gives the connection up if it is not there in time. */
function limited<Stream extends Duplex | null | undefined>(stream: Stream, ready: 'connect' | 'secureConnect'): Stream {
  const socket = stream as unknown as Socket
  const late = () => {
    const message = `no connection within ${CONNECT_MS_MAX / 1_000} s`
    socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT', syscall: 'connect' }))
  }
  const timer = setTimeout(late, CONNECT_MS_MAX)
  for (const end of [ready, 'close']) socket.once(end, () => clearTimeout(timer))
  return stream
}
