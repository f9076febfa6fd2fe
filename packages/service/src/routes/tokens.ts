/**
 * `/v2/tokens`: the endpoints of tokens, in the hosted service's form and in our own. A secret is only ever in one answer, the one that
 * creates its token. Deliberately not here: how tokens are stored, and what one token may do to others (tokens/delegation.ts).
 */
import { OWN_TOKEN_MEMBERS } from '@deployment-annotations/contract/header'
import type { MadeToken, Token } from '@deployment-annotations/contract/schemas/token'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import { TOKENS_PATH } from '@deployment-annotations/contract/token'
import type { TokenRecord } from '@deployment-annotations/records/token-records'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tidied, withoutNullsInside } from '../http/body.ts'
import { shownTo } from '../http/request-headers.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { permissionsWithAll } from '../tokens/capabilities.ts'
import { readNewToken } from '../tokens/new-token.ts'
import { readRegeneration } from '../tokens/regeneration.ts'
import { capabilitiesOfToken, makeToken } from '../tokens/token.ts'
import { CREATE, GET, LIST, NAMED, REGENERATE, REVOKE } from './schemas/tokens.ts'

const ONE = `${TOKENS_PATH}/:id`

export function addTokenRoutes(app: FastifyInstance, { tokens, now }: Parts): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.get(TOKENS_PATH, LIST, async (request) =>
    tokens.list(request.token as TokenRecord).map((record) => show(request, toWire(record))),
  )

  routes.get(ONE, GET, async (request) => show(request, toWire(tokens.get(request.params.id, request.token as TokenRecord))))

  routes.post(TOKENS_PATH, {
    ...CREATE,
    preValidation: tidied(withoutNullsInside),
    handler: async (request, reply) => {
      const { body, token } = request
      const { record, secret } = makeToken(readNewToken(body, now()))
      await tokens.add(record, token as TokenRecord)
      reply.header('cache-control', 'no-store')
      return reply.status(201).send(show(request, withSecret(record, secret)))
    },
  })

  routes.post(`${ONE}/regenerate`, {
    ...REGENERATE,
    preValidation: tidied(withoutNullsInside),
    handler: async (request, reply) => {
      const { params, body, token } = request
      const { successor, expiresAtMs } = readRegeneration(body, now())
      let secret = ''
      const make = (before: TokenRecord) => {
        const made = makeToken(successor(before))
        secret = made.secret
        return made.record
      }
      const record = await tokens.replace(params.id, { successor: make, expiresAtMs }, token as TokenRecord)
      reply.header('cache-control', 'no-store')
      return reply.send(show(request, withSecret(record, secret)))
    },
  })

  routes.delete(ONE, REVOKE, ({ params, token }) => tokens.remove(params.id, token as TokenRecord))
}

function show<T extends Token>(request: FastifyRequest, token: T) {
  return shownTo(request, token, OWN_TOKEN_MEMBERS)
}

function withSecret(record: TokenRecord, secret: string): MadeToken {
  return { ...toWire(record), token: secret }
}

/** @returns the token without its hash and whatever else is only for the service */
function toWire(record: TokenRecord): Token {
  const { id, name, description, kind, permissions, expiresAtMs, createdAt } = record
  const capabilities = capabilitiesOfToken(record)
  return {
    id,
    name,
    ...(description && { description }),
    kind,
    permissions: permissions.length > 0 ? [...permissions] : permissionsWithAll(capabilities),
    datasetCapabilities: capabilities.datasets,
    orgCapabilities: capabilities.org,
    ...(expiresAtMs !== undefined && { expiresAt: formatMillis(expiresAtMs) }),
    createdAt,
  }
}
