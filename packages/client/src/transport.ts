/**
 * One HTTP exchange: a request out, a whole reply of bounded size in; and what is known where there is none.
 * Three files carry it: fetch.ts wherever `fetch` is, undici.ts where there may be a proxy, node-transport.ts in the step and the command.
 * Deliberately not here: redirects, retries, JSON and the meaning of a status.
 */

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
  /** 0 for a redirect, of which browsers show nothing else. */
  status: number
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  body: Uint8Array
}

export interface Transport {
  /** @throws WireError where no whole reply came back */
  send(request: WireRequest): Promise<WireReply>
  close(): Promise<void>
}

/** @param origin scheme, host and port that every request goes to */
export type OpenTransport = (origin: URL) => Transport

/** No whole reply came back. `sent` is false only if certainly not one byte of the request was handed to a connection. */
export class WireError extends Error {
  override name = 'WireError'
  readonly sent: boolean
  constructor(sent: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.sent = sent
  }
}

/** Compares the name instead of using `instanceof`: each bundle of the step has its own copy of the class. */
export function isWireError(error: unknown): error is WireError {
  return error instanceof Error && error.name === 'WireError' && 'sent' in error
}

/** A connection that is not made in this time is unlikely to be made later; what is left of the budget goes to a retry. */
export const CONNECT_TIMEOUT_MS = 5_000

/** The code of an error that says that the proxy answered, and will not connect. */
export const PROXY_REFUSED = 'ERR_PROXY_REFUSED'

/** @returns the code that the runtime or a library has given an error */
export function readCode(cause: unknown): string | undefined {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : undefined
}

export function isCertificateError(cause: unknown): boolean {
  return /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(readCode(cause) ?? '')
}

const REPLY_TOO_LONG = 'ERR_REPLY_TOO_LONG'

/** What came of an exchange, by a code as Node's own errors have. */
export class ExchangeError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Whether an error of the client was caused by a reply that was given up because of its length. */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && readCode(error.cause) === REPLY_TOO_LONG
}

/** The body of a reply as it comes, up to the length that was asked for. */
export class ReplyBody {
  readonly #bytesMax: number
  readonly #chunks: Uint8Array[] = []
  #bytes = 0

  constructor({ replyBytesMax }: WireRequest) {
    this.#bytesMax = replyBytesMax
  }

  /** @throws ExchangeError where it is longer */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    const message = `the reply is longer than ${this.#bytesMax} bytes`
    if (this.#bytes > this.#bytesMax) throw new ExchangeError(REPLY_TOO_LONG, message)
    this.#chunks.push(chunk)
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.#bytes)
    let at = 0
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
  }
}
