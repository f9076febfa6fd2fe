/**
 * Which pages of other origins may send to this service from a browser (CORS): what instruments pages sends events, OTLP and annotations.
 * Cookies play no part, so a page needs a token of its own. Nothing else is answered to other origins.
 */
import type { FastifyInstance } from 'fastify'

/** The addresses of ingest, OTLP and annotations. */
const SHARED = /^\/v1\/(?:ingest\/|datasets\/[^/]+\/ingest|(?:traces|logs|metrics)(?:$|\?))|^\/v2\/annotations(?:$|[/?])/
/** How many seconds a browser may remember the answer to a preflight; Chromium remembers none for longer. */
const REMEMBERED_S = 7_200

/** Must be called before every hook that refuses requests, so that pages can read why. @param origins those of pages, or `*` for all */
export function addCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async ({ url, method, headers }, reply) => {
    if (!SHARED.test(url)) return
    reply.header('vary', 'origin')
    const { origin, 'access-control-request-method': wanted, 'access-control-request-headers': names = '' } = headers
    if (origin === undefined || !(origins.includes(origin) || origins.includes('*'))) return
    // Without credentials, which are never allowed, the star stands for every header.
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' })
    if (method !== 'OPTIONS' || wanted === undefined) return
    reply.headers({ 'access-control-allow-methods': 'GET, POST, PUT, DELETE', 'access-control-allow-headers': names })
    return reply.status(204).header('access-control-max-age', REMEMBERED_S).send()
  })
}
