/**
 * A connection to one service: settings checked once, and shared by all calls of one client.
 */
import { hideLogin } from '@deployment-annotations/contract/address'
import { isLoopback } from '@deployment-annotations/contract/loopback'
import { type Clock, systemClock } from './clock.ts'
import { ConfigError } from './errors.ts'
import { createRedactor } from './redact.ts'
import type { OpenTransport, Transport } from './transport.ts'
import { USER_AGENT } from './version.ts'

export const DEFAULT_BASE_URL = 'https://api.axiom.co'
export const DEFAULT_TIMEOUT_MS = 30_000

export interface ClientOptions {
  /** API token or personal token. */
  token: string
  /** Address of the service, with or without a path; default {@link DEFAULT_BASE_URL}. */
  baseUrl?: string | URL
  /** Permits `http:` to another machine, where the token crosses the network unencrypted; default `false`. */
  allowHttp?: boolean
  /** Total time of a call in milliseconds, retries included; default {@link DEFAULT_TIMEOUT_MS}. */
  timeoutMs?: number
  /** What the service's log shows as the caller; default {@link USER_AGENT}. */
  userAgent?: string
  /** Time and chance, for tests; default the system's. */
  clock?: Clock
  /** How the token is sent: `basic` is for one of the form `user:password`, `none` for a server that asks for none; default `bearer`. */
  scheme?: 'bearer' | 'basic' | 'none'
  /**
   * Carries the requests; default `fetch`. `createUndiciTransport` of `@deployment-annotations/client/undici` goes through a proxy where
   * `https_proxy`, `http_proxy` and `no_proxy` say so.
   */
  transport?: Transport | OpenTransport
}

/** What all calls of one client have in common. */
export interface Connection extends AsyncDisposable {
  transport: Transport
  /** With or without a path. */
  baseUrl: URL
  token: string
  /** Of every request: the token and who asks. */
  headers: Readonly<Record<string, string>>
  /** Takes the token out of a text that came from outside. */
  redact: (text: string) => string
  clock: Clock
  /** Total time of a call unless the call says otherwise. */
  timeoutMs: number
}

/**
 * @param createTransport what carries the requests unless the options have it; a bundle has only what is named here
 * @throws ConfigError where a setting is unusable; nothing is sent here
 */
export function openConnection(options: ClientOptions, createTransport: OpenTransport): Connection {
  const { scheme = 'bearer', transport: given = createTransport } = options
  const token = scheme === 'none' ? '' : checkToken(options.token)
  const baseUrl = parseBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL, options.allowHttp ?? false)
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  if (!(timeoutMs > 0)) throw new ConfigError(`timeoutMs must be greater than 0, got ${timeoutMs}`)
  const transport = typeof given === 'function' ? given(baseUrl) : given
  return {
    transport,
    baseUrl,
    token,
    headers: { ...authorize(token, scheme), 'user-agent': options.userAgent ?? USER_AGENT, accept: 'application/json' },
    redact: createRedactor(token),
    clock: options.clock ?? systemClock,
    timeoutMs,
    [Symbol.asyncDispose]: () => transport.close(),
  }
}

function authorize(token: string, scheme: ClientOptions['scheme'] & string): { authorization?: string } {
  if (scheme === 'none') return {}
  return { authorization: scheme === 'basic' ? `Basic ${btoa(token)}` : `Bearer ${token}` }
}

/** The message never shows the token, nor a part of it. @throws ConfigError */
export function checkToken(token: string): string {
  if (token === '') throw new ConfigError('the token is empty')
  const index = token.search(/[^\x21-\x7e]/)
  if (index !== -1) {
    const code = (token.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    throw new ConfigError(`the token contains a space, control or non-ASCII character (U+${code} at position ${index + 1})`)
  }
  return token
}

/** @param name of the option, for messages. @throws ConfigError */
export function parseBaseUrl(text: string | URL, allowHttp: boolean, name = 'baseUrl'): URL {
  const given = String(text)
  const withoutLogin = hideLogin(given)
  const refuse = (why: string) => new ConfigError(`${name} ${JSON.stringify(withoutLogin)} ${why}`)
  if (!URL.canParse(given)) throw refuse(`is not an absolute URL such as ${DEFAULT_BASE_URL}`)
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('must begin with https://')
  if (withoutLogin !== given) throw refuse('must not contain a user name or password')
  if (url.search || url.hash) throw refuse('must not contain a query or fragment')
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname))
    throw refuse('would send the token over the network unencrypted; use https://, or set allowHttp to accept that')
  return url
}
