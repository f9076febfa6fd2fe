/**
 * Rules for every request, whatever it asks for: headers that come once, known codings and expectations, and a Host that is a name of
 * this service. Node would answer some of these by itself, without a body, and takes the first of headers that come twice. And nothing is
 * acknowledged any more once the data directory is gone.
 *
 * The rule for the Host is about browsers: a page of another site whose name was made to lead to a loopback address (DNS rebinding)
 * is recognized by the name that it asks for. Numeric addresses cannot be led elsewhere, so they are always allowed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from '@deployment-annotations/contract/loopback'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance } from 'fastify'
import { DATA_GONE, type DataDirectory } from '../health/data-directory.ts'
import { keptFor } from '../health/kept-for.ts'

/** Headers that may come once: two would contradict each other, and Node has only the first in `headers`. */
const ONCE = ['host', 'authorization', 'idempotency-key', 'annotation-key', 'annotation-job'] as const
/** The only coding of a transfer that is read; Node would take others for it. */
const TRANSFER = /^chunked$/i
/** A target with a host of its own, which then counts and not the header (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/(?<host>[^/?#]*)/i
/** The only expectation that HTTP has. Node has already answered it when a request comes here. */
const EXPECTED = /^100-continue$/i

/** @param allowedHosts the names of this service besides those of loopback; without it any name is allowed */
export function addRequestRules(app: FastifyInstance, allowedHosts: readonly string[] | undefined): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response),
  )
  const names = allowedHosts && new Set(allowedHosts.map((name) => name.toLowerCase()))
  app.addHook('onRequest', async ({ headers, raw }) => {
    const { httpVersion, rawHeaders } = raw
    for (const name of ONCE) {
      const count = rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length
      if (count > 1) throw new ServiceError('malformed', `the request has ${count} ${name} headers; send one`)
    }
    if (headers.host === undefined && httpVersion !== '1.0') throw new ServiceError('malformed', 'the request has no Host header')
    const { expect, 'transfer-encoding': transfer } = headers
    if (transfer !== undefined && !TRANSFER.test(transfer)) {
      throw new ServiceError('malformed', `Transfer-Encoding ${quoted(transfer)} is not read; chunked is`)
    }
    if (expect !== undefined && !EXPECTED.test(expect)) {
      throw new ServiceError('malformed', `Expect ${quoted(expect)} is not known; 100-continue is`)
    }
  })
  app.addHook('onRequest', async ({ url, headers }) => {
    const host = ABSOLUTE.exec(url)?.groups?.host ?? headers.host
    const name = host === undefined ? undefined : nameOf(host)
    if (!names || name === undefined || isIP(name) !== 0 || isLocal(name) || names.has(name)) return
    throw new ServiceError(
      'misdirected',
      `this service does not go by the Host ${quoted(String(host))}; --allowed-hosts adds names`,
    )
  })
}

/** How old the last check of the data directory may be, in milliseconds: a check is three calls of the system. */
const CHECK_MS = 500

/** Refuses requests once the data directory is gone: what this process acknowledges then is lost when it ends. */
export function requireData(app: FastifyInstance, directory: DataDirectory): void {
  const isGone = keptFor(CHECK_MS, () => directory.isGone)
  app.addHook('onRequest', async (request) => {
    if (!request.routeOptions.config.open && isGone()) throw new ServiceError('unavailable', DATA_GONE)
  })
}

/** @returns the name or address of a Host header, in lower case, without port, brackets and the dot of the root */
function nameOf(host: string): string {
  const match = /^(?:\[(?<address>[^\]]*)\]|(?<name>[^:]*?)\.?)(?::\d*)?$/.exec(host)
  return (match?.groups?.address ?? match?.groups?.name ?? host).toLowerCase()
}

/** @returns whether a host is this machine; unlike {@link isLoopback} with names below `.localhost`, which browsers never send elsewhere */
export function isLocal(host: string): boolean {
  const name = host.toLowerCase()
  return isLoopback(name) || name.endsWith('.localhost')
}
