/**
 * `/v2/tokens`: the endpoints of tokens, in the hosted service's form and in our own. A secret is only ever in one answer, the one that
 * creates its token. Deliberately not here: how tokens are stored, and what one token may do to others (tokens/delegation.ts).
 */
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import { type MadeToken, TOKENS, type Token } from '@deployment-annotations/contract/token'
import type { TokenRecord } from '@deployment-annotations/records/tokens/token-records'
import type { FastifyInstance } from 'fastify'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { permissionsWithAll } from '../tokens/capabilities.ts'
import { readNewToken } from '../tokens/new-token.ts'
import { readRegeneration } from '../tokens/regeneration.ts'
import { capabilitiesOfToken, makeToken } from '../tokens/token.ts'

export function addTokenRoutes(app: FastifyInstance, { tokens, now }: Parts): void {
  route(app, TOKENS.list, ({ token }) => tokens.list(token as TokenRecord).map(toWire))

  route(app, TOKENS.get, ({ params, token }) => toWire(tokens.get(params.id, token as TokenRecord)))

  route(app, TOKENS.create, async ({ body, token }) => {
    const { record, secret } = makeToken(readNewToken(body, now()))
    await tokens.add(record, token as TokenRecord)
    return withSecret(record, secret)
  })

  route(app, TOKENS.regenerate, async ({ params, body, token }) => {
    const { successor, expiresAtMs } = readRegeneration(body, now())
    let secret = ''
    const make = (before: TokenRecord) => {
      const made = makeToken(successor(before))
      secret = made.secret
      return made.record
    }
    const record = await tokens.replace(params.id, { successor: make, expiresAtMs }, token as TokenRecord)
    return withSecret(record, secret)
  })

  route(app, TOKENS.delete, ({ params, token }) => tokens.remove(params.id, token as TokenRecord))
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
