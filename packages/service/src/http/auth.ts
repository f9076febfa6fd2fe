/**
 * Who is asking, and are they allowed to: the bearer token of a request against the permission its route declares.
 * Runs before the body is read. A route that does not declare who may call it cannot be registered.
 */

import type { PlatformName } from '@deployment-annotations/contract/integration'
import type { Permission } from '@deployment-annotations/contract/token'
import type { TokenRecord } from '@deployment-annotations/records/token-records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TokenRegistry } from '../tokens/registry.ts'
import { hasExpired, limitOf, mayDo } from '../tokens/token.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What the token of a request to this route must be allowed to do: with the dataset that the path has as `:name`, and otherwise
     * with any one, where the handler looks at the datasets in question.
     */
    permission?: Permission
    /** Any known token will do. */
    anyToken?: boolean
    /** Only a personal token will do: what is done here would let an API token widen itself. */
    personal?: boolean
    /**
     * Takes the token as the password of a user too, or as the second part of an API key: for clients that know no other way. Browsers
     * are never asked for a password, so none keeps one and sends it by itself.
     */
    tokenAsPassword?: boolean
    /** Answers without a token. */
    open?: boolean
    /** Answers without a token what is signed as this platform signs; the route checks that itself. */
    signature?: PlatformName
  }
  interface FastifyRequest {
    /** The token that was presented and found; null on open routes and before authentication. */
    token: TokenRecord | null
  }
}

/**
 * @param refuseWrong is told of each request whose token is not known; what it throws is the answer
 * @param now milliseconds since the epoch
 */
export function addAuth(
  app: FastifyInstance,
  tokens: Pick<TokenRegistry, 'find'>,
  refuseWrong: (request: FastifyRequest) => Promise<void>,
  now: () => number = Date.now,
): void {
  app.decorateRequest('token', null)
  app.addHook('onRoute', ({ config, method, url }) => {
    const { permission, anyToken, personal, open, signature } = config ?? {}
    if (!permission && !anyToken && !personal && !open && !signature) throw new Error(`${method} ${url} declares no permission`)
  })
  app.addHook('onRequest', async (request) => {
    const { permission, anyToken, personal } = request.routeOptions.config
    // Unknown routes are answered 404 without a token: they do nothing.
    if (!permission && !anyToken && !personal) return
    const found = tokens.find(readSecret(request))
    if (!found) {
      await refuseWrong(request)
      throw unauthorized('Bearer error="invalid_token"', 'the token is not known here: it is wrong or was revoked')
    }
    if (hasExpired(found, now())) throw expired(found)
    request.token = found
    if (permission) requirePermission(request, permission, '', namedDataset(request))
    if (personal && request.token.kind !== 'personal') {
      throw new ServiceError('forbidden', `token ${request.token.id} is an API token, and only a personal token may do this`)
    }
  })
}

/**
 * @param purpose what it is for, where the route does not say that
 * @param dataset absent: with any one
 * @throws ServiceError `forbidden`
 */
export function requirePermission(
  request: Pick<FastifyRequest, 'token'>,
  permission: Permission,
  purpose = '',
  dataset?: string,
): void {
  if (isAllowed(request, permission, dataset)) return
  // A token that lacks it with every dataset is not told of one.
  const where = dataset !== undefined && isAllowed(request, permission) ? ` on the dataset ${quoted(dataset)}` : ''
  throw new ServiceError(
    'forbidden',
    `token ${request.token?.id} lacks the permission ${permission}${where} ${purpose}`.trimEnd(),
  )
}

/** The dataset that the path of the route names. */
function namedDataset({ routeOptions, params }: FastifyRequest): string | undefined {
  return routeOptions.url?.includes('/:name') ? (params as { name: string }).name : undefined
}

/** @returns who asks, for what finds out on the way which permissions it takes */
export function callerOf(request: Pick<FastifyRequest, 'token' | 'arrivedMs'>): Caller {
  const { token, arrivedMs } = request
  return {
    id: token?.id ?? '',
    sinceMs: arrivedMs,
    limit: token ? limitOf(token) : [],
    may: (permission, dataset) => isAllowed(request, permission, dataset),
    require: (permission, purpose, dataset) => requirePermission(request, permission, purpose, dataset),
  }
}

export function isAllowed({ token }: Pick<FastifyRequest, 'token'>, permission: Permission, dataset?: string): boolean {
  return token !== null && mayDo(token, permission, dataset)
}

const BEARER = /^bearer +(?<secret>\S+) *$/i
const PASSWORD = /^(?:basic|apikey) +(?<encoded>[\w+/-]+=*) *$/i

function readSecret({ headers: { authorization }, routeOptions }: FastifyRequest): string {
  if (!authorization) {
    throw unauthorized('Bearer', 'no token: send the header Authorization: Bearer <API_TOKEN>')
  }
  const { tokenAsPassword } = routeOptions.config
  const secret = BEARER.exec(authorization)?.groups?.secret ?? (tokenAsPassword ? readPassword(authorization) : undefined)
  if (!secret) {
    throw unauthorized('Bearer', 'the Authorization header is not of the form Bearer <API_TOKEN>')
  }
  return secret
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
