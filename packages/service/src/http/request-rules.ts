/**
 * What holds for every request, whatever it asks for: one Host, one Authorization, an Expect that is known, and a Host that this
 * service goes by. Node answers some of it by itself, without a body, and takes the first of headers that come twice.
 *
 * The Host is for browsers: a page of another site, whose name is made to lead to a loopback address (DNS rebinding), is told by the
 * name that it asks for. Numeric addresses cannot be led elsewhere, so they are always allowed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Headers of which two would contradict each other; Node has only the first in `headers`. */
const ONCE = ['host', 'authorization'] as const
/** The one expectation there is; Node has told the sender to go on when a request comes here. */
const EXPECTED = /^100-continue$/i

/** @param allowedHosts names that this service goes by besides those of loopback; any when absent */
export function addRequestRules(app: FastifyInstance, allowedHosts: readonly string[] | undefined): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response),
  )
  const names = allowedHosts && new Set(allowedHosts.map((name) => name.toLowerCase()))
  app.addHook('onRequest', async (request) => {
    requireHeaders(request)
    const { host } = request.headers
    if (names && host !== undefined) requireHost(host, names)
  })
}

function requireHeaders({ headers, raw }: FastifyRequest): void {
  const { httpVersion, rawHeaders } = raw
  for (const name of ONCE) {
    const count = rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length
    if (count > 1) throw new ServiceError('malformed', `the request has ${count} ${name} headers; send one`)
  }
  if (headers.host === undefined && httpVersion !== '1.0') throw new ServiceError('malformed', 'the request has no Host header')
  const { expect } = headers
  if (expect !== undefined && !EXPECTED.test(expect)) {
    throw new ServiceError('malformed', `Expect ${quoted(expect)} is not known; 100-continue is`)
  }
}

function requireHost(host: string, names: ReadonlySet<string>): void {
  const name = nameOf(host)
  if (isLoopbackName(name) || isIP(name) !== 0 || names.has(name)) return
  throw new ServiceError('misdirected', `this service does not go by the Host ${quoted(host)}; --allowed-hosts adds names`)
}

/** @returns the name or address of a Host header, in lower case, without port, brackets and the dot of the root */
function nameOf(host: string): string {
  const match = /^(?:\[(?<address>[^\]]*)\]|(?<name>[^:]*?)\.?)(?::\d*)?$/.exec(host)
  return (match?.groups?.address ?? match?.groups?.name ?? host).toLowerCase()
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Whether only this machine can reach what listens there. */
export function isLoopback(address: string): boolean {
  return isLoopbackName(address.toLowerCase()) || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}
