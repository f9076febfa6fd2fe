/**
 * Authentication and authorization: the bearer token of a request is checked against the permission that its route declares, before
 * the body is read. A route that does not declare who may call it cannot be registered.
 */

import type { Permission } from '@deployment-annotations/contract/permission'
import type { PlatformName } from '@deployment-annotations/contract/platform'
import type { RecordCaches } from '@deployment-annotations/records/database/record-caches'
import type { TokenRecord } from '@deployment-annotations/records/tokens/token-records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TokenRegistry } from '../tokens/registry.ts'
import { hasExpired, limitOf, mayDo } from '../tokens/token.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The permission that the token of a request needs: for the dataset that the path has as `:name`, or else for any dataset, and
     * then the handler checks the datasets in question.
     */
    permission?: Permission
    /** The route takes any known token. */
    anyToken?: boolean
    /** The route takes only personal tokens: an API token could use it to widen its own permissions. */
    personal?: boolean
    /**
     * The route also takes the token as the password of a user, or as the second part of an API key, for clients that know no other
     * way. Browsers are never asked for a password, so none keeps one and sends it by itself.
     */
    tokenAsPassword?: boolean
    /** The route needs no token. */
    open?: boolean
    /** The route needs no token but a signature of this platform, and checks it itself. */
    signature?: PlatformName
  }
  interface FastifyRequest {
    /** The token of the request; null on open routes and before authentication. */
    token: TokenRecord | null
  }
}

interface AuthOptions {
  tokens: Pick<TokenRegistry, 'find'>
  caches: Pick<RecordCaches, 'refresh' | 'refreshLately' | 'expire'>
  /** Called for each request whose token is not known; the error that it throws is the answer. */
  limitWrongTokens: (request: FastifyRequest) => Promise<void>
  /** Milliseconds since the epoch. */
  now: () => number
}

export function addAuth(app: FastifyInstance, { tokens, caches, limitWrongTokens, now }: AuthOptions): void {
  app.decorateRequest('token', null)
  app.addHook('onRoute', ({ config, method, url }) => {
    const { permission, anyToken, personal, open, signature } = config ?? {}
    if (!permission && !anyToken && !personal && !open && !signature) throw new Error(`${method} ${url} declares no permission`)
  })
  // Brings what this service has in memory, tokens among it, up to what was committed before the request came. Where that fails, the
  // request is refused as one to send again, not answered from what was true before.
  app.addHook('onRequest', async (request) => {
    const { permission, anyToken, personal, signature } = request.routeOptions.config
    if (!permission && !anyToken && !personal && !signature) return
    await (changesNothing(request) ? refreshing(caches.refreshLately()) : refreshing(caches.refresh()))
  })
  app.addHook('onSend', async (request) => {
    if (!changesNothing(request)) caches.expire()
  })
  app.addHook('onRequest', async (request) => {
    const { permission, anyToken, personal } = request.routeOptions.config
    // Unknown routes are answered 404 without a token: they do nothing.
    if (!permission && !anyToken && !personal) return
    let found = tokens.find(readSecret(request))
    if (!found) {
      // Another service may have made it a moment ago.
      await refreshing(caches.refresh())
      found = tokens.find(readSecret(request))
    }
    if (!found) {
      await limitWrongTokens(request)
      throw unauthorized('Bearer error="invalid_token"', 'the token is not known here: it is wrong or was revoked')
    }
    if (hasExpired(found, now())) throw expired(found)
    request.token = found
    const named = request.routeOptions.url?.includes('/:name') ? (request.params as { name: string }).name : undefined
    if (permission) requirePermission(request, permission, '', named)
    if (personal && request.token.kind !== 'personal') {
      throw new ServiceError('forbidden', `token ${request.token.id} is an API token, and only a personal token may do this`)
    }
  })
}

/** @throws ServiceError `unavailable` */
async function refreshing(refresh: Promise<void>): Promise<void> {
  try {
    await refresh
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError('unavailable', 'the records cannot be read; try again in a moment', { cause })
  }
}

/** Whether the request changes nothing that services have in memory: it reads, or sends events, whose fields have a way of their own. */
function changesNothing({ method, routeOptions }: FastifyRequest): boolean {
  const { permission } = routeOptions.config
  return method === 'GET' || method === 'HEAD' || permission === 'ingest|create' || permission === 'query|read'
}

/**
 * @param purpose what the permission is needed for, where the route does not say that
 * @param dataset the dataset that it is needed for; without it, any dataset will do
 * @throws ServiceError `forbidden`
 */
export function requirePermission(
  request: Pick<FastifyRequest, 'token'>,
  permission: Permission,
  purpose = '',
  dataset?: string,
): void {
  if (isAllowed(request, permission, dataset)) return
  // The dataset is only named to a token that has the permission for another one.
  const where = dataset !== undefined && isAllowed(request, permission) ? ` on the dataset ${quoted(dataset)}` : ''
  throw new ServiceError(
    'forbidden',
    `token ${request.token?.id} lacks the permission ${permission}${where} ${purpose}`.trimEnd(),
  )
}

/** @returns the name under which all that counts requests by caller counts this one: that of its token, or without one its address */
export function callerIdOf({ token, ip }: Pick<FastifyRequest, 'token' | 'ip'>): string {
  return token?.id ?? ip
}

/** @returns the token that a request comes with, by what is known before it is authenticated: it may have been revoked meanwhile */
export function guessToken(request: FastifyRequest, tokens: AuthOptions['tokens']): TokenRecord | undefined {
  const secret = findSecret(request)
  return secret === undefined ? undefined : tokens.find(secret)
}

/** @returns the caller, for code that finds out on the way which permissions a request needs */
export function callerOf(request: Pick<FastifyRequest, 'token' | 'arrivedMs'>): Caller {
  const { token, arrivedMs } = request
  return {
    id: token?.id ?? '',
    sinceMs: arrivedMs,
    limit: token ? limitOf(token) : [],
    may: isAllowed.bind(undefined, request),
    require: requirePermission.bind(undefined, request),
  }
}

export function isAllowed({ token }: Pick<FastifyRequest, 'token'>, permission: Permission, dataset?: string): boolean {
  return token !== null && mayDo(token, permission, dataset)
}

/** @returns a signal that aborts once nobody waits for the answer any more, to end what is done for the caller */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new ServiceError('caller_left', 'the caller left before the answer was ready'))
  })
  return gone.signal
}

const BEARER = /^bearer +(?<secret>\S+) *$/i
const PASSWORD = /^(?:basic|apikey) +(?<encoded>[\w+/-]+=*) *$/i

function readSecret(request: FastifyRequest): string {
  const secret = findSecret(request)
  if (secret) return secret
  if (!request.headers.authorization) throw unauthorized('Bearer', 'no token: send the header Authorization: Bearer <API_TOKEN>')
  throw unauthorized('Bearer', 'the Authorization header is not of the form Bearer <API_TOKEN>')
}

function findSecret({ headers: { authorization = '' }, routeOptions }: FastifyRequest): string | undefined {
  const { tokenAsPassword } = routeOptions.config
  return BEARER.exec(authorization)?.groups?.secret ?? (tokenAsPassword ? readPassword(authorization) : undefined)
}

function expired({ id, expiresAtMs = 0 }: TokenRecord): ServiceError {
  return unauthorized('Bearer error="invalid_token"', `token ${id} expired at ${new Date(expiresAtMs).toISOString()}`)
}

function readPassword(authorization: string): string | undefined {
  const encoded = PASSWORD.exec(authorization)?.groups?.encoded
  return encoded && /^[^:]*:(?<password>.+)$/s.exec(Buffer.from(encoded, 'base64').toString())?.groups?.password
}

function unauthorized(challenge: string, message: string): ServiceError {
  return new ServiceError('unauthorized', message, { headers: { 'www-authenticate': challenge } })
}
