/**
 * What is compared, from Prometheus, Loki or ClickHouse in the place of the service's own datasets: the connection to it.
 * Deliberately not here: what is asked, which the sources of packages/compare say.
 */
import { type CallOptions, runCall, startContext } from '@deployment-annotations/client/calls'
import { openConnection } from '@deployment-annotations/client/connection'
import { readerOf } from '@deployment-annotations/client/reply'
import type { Transport } from '@deployment-annotations/client/transport'
import type { Exchange, Source } from '@deployment-annotations/compare/sources/source'
import { SOURCES } from '@deployment-annotations/compare/sources/sources'
import type { SourceInputs } from './comparison.ts'

export interface SourceOptions {
  /** The window after the event, in milliseconds. */
  afterMs: number
  timeoutMs: number
  userAgent: string
  createTransport: (origin: URL) => Transport
  calls: CallOptions
}

export function openSource(
  { kind, baseUrl, token, service, tenant }: SourceInputs,
  { afterMs, createTransport, calls, ...settings }: SourceOptions,
): Source & AsyncDisposable {
  const scheme = token === '' ? 'none' : token.includes(':') ? 'basic' : 'bearer'
  const origin = new URL('/', baseUrl)
  const connection = openConnection({ ...settings, baseUrl: origin, token, scheme, allowHttp: true }, createTransport)
  const path = baseUrl.pathname.replace(/(?<!\/)\/+$/, '')
  const exchange: Exchange = (request, { read, expected }) =>
    runCall(startContext(connection, calls), { ...request, method: 'POST', read: readerOf(read, expected) })
  const source = SOURCES[kind].create(exchange, { path, service, afterMs, tenant })
  return { ...source, [Symbol.asyncDispose]: () => connection.transport.close() }
}
