/**
 * One HTTP exchange: a request out, a whole reply of bounded size in; and what is known where there is none.
 * Three files carry it: fetch.ts wherever `fetch` is, undici.ts where there may be a proxy, node-transport.ts in the step and the command.
 * Deliberately not here: redirects, retries, JSON and the meaning of a status.
 */

export interface WireRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | Uint8Array | undefined
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
  text: string
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

/** @returns an error that says what came of an exchange by a code, as Node's own errors do */
export function exchangeError(code: string, message: string, options?: ErrorOptions): Error & { code: string } {
  return Object.assign(new Error(message, options), { code })
}

/** Whether an error of the client was caused by a reply that was given up because of its length. */
export function isTooLong(error: unknown): boolean {
  return error instanceof Error && readCode(error.cause) === REPLY_TOO_LONG
}

/** @returns what takes the bytes of a reply as they come, up to the length that was asked for, and gives its text in the end */
export function createReplyReader({ replyBytesMax }: WireRequest): { add(chunk: Uint8Array): void; end(): string } {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  return {
    add(chunk) {
      bytes += chunk.length
      if (bytes > replyBytesMax) throw exchangeError(REPLY_TOO_LONG, `the reply is longer than ${replyBytesMax} bytes`)
      text += decoder.decode(chunk, { stream: true })
    },
    end: () => text + decoder.decode(),
  }
}
