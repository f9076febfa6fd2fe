/**
 * One HTTP exchange: a request out, a whole reply of bounded size in; and what is known where there is none.
 * Two files carry it: undici-transport.ts in the library and wherever there is a proxy, node-transport.ts in the step.
 * Deliberately not here: redirects, retries, JSON and the meaning of a status.
 */
import { hideLogin } from '@deployment-annotations/contract/address'
import { ConfigError } from './errors.ts'

export interface WireRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Ends the exchange, the reply's body included; its reason becomes the error's cause. */
  signal: AbortSignal
  /** A reply with a longer body is given up. */
  replyBytesMax: number
}

export interface WireReply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface Transport {
  /** @throws WireError where no whole reply came back */
  send(request: WireRequest): Promise<WireReply>
  close(): Promise<void>
}

/** No whole reply came back. `sent` is false only if certainly not one byte of the request was handed to a connection. */
export class WireError extends Error {
  override name = 'WireError'
  readonly sent: boolean
  constructor(sent: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.sent = sent
  }
}

/** By what it is, not by its class, of which the step's bundles have a copy each. */
export function isWireError(error: unknown): error is WireError {
  return error instanceof Error && error.name === 'WireError' && 'sent' in error
}

/** A connection that is not made in this time is unlikely to be made later; what is left of the budget goes to a retry. */
export const CONNECT_TIMEOUT_MS = 5_000

/** The code of an error that says that the proxy answered, and will not connect. */
export const PROXY_REFUSED = 'ERR_PROXY_REFUSED'

/**
 * The proxy for an address: lower case first, as curl and undici do; https falls back to http as in undici.
 * @returns its variable and address; `undefined` where no variable names one
 * @throws ConfigError where it is no address of an HTTP proxy
 */
export function readProxy(origin: URL, env: NodeJS.ProcessEnv): { variable: string; url: string } | undefined {
  const variables = [...(origin.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : []), 'http_proxy', 'HTTP_PROXY']
  const variable = variables.find((name) => env[name])
  if (variable === undefined) return undefined
  const url = env[variable] ?? ''
  // A path is the rest of a password that has a `/`, or a file with rules for proxies: undici takes neither.
  if (/^https?:\/\/[^/?#\\]+\/?\s*$/i.test(url) && URL.canParse(url)) return { variable, url }
  const shown = JSON.stringify(hideLogin(url))
  throw new ConfigError(`the variable ${variable} is ${shown}, which is no proxy address such as http://proxy.example:3128`)
}

const REPLY_TOO_LONG = 'ERR_REPLY_TOO_LONG'

class ReplyTooLong extends Error {
  readonly code = REPLY_TOO_LONG

  constructor(bytesMax: number) {
    super(`the reply is longer than ${bytesMax} bytes`)
  }
}

/** Whether an error of the client was caused by a reply that was given up because of its length. */
export function isTooLong(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined
  return cause?.code === REPLY_TOO_LONG
}

/** The body of a reply as it comes, up to the length that was asked for. */
export class ReplyBody {
  readonly #bytesMax: number
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor({ replyBytesMax }: WireRequest) {
    this.#bytesMax = replyBytesMax
  }

  /** @throws Error where it is longer */
  add(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#bytesMax) throw new ReplyTooLong(this.#bytesMax)
    this.#chunks.push(chunk)
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}
