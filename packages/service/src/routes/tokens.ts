/**
 * `/v2/tokens`: tokens listed, made and revoked over HTTP. For personal tokens only, because an API token that could make
 * tokens could widen itself. A secret is only ever in one answer, the one that creates its token.
 * Deliberately not here: how tokens are kept, which the `token` subcommands share; see `records/token-records.ts`.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { NewTokenMembersSchema } from '@deployment-annotations/contract/schemas/token'
import { type Permission, TOKENS_PATH, type Token } from '@deployment-annotations/contract/token'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { invalid, quoted, showValue } from '../errors.ts'
import { requireBody } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { TokenRecord } from '../records/token-records.ts'
import type { TokenRegistry } from '../tokens/registry.ts'
import { makeToken, permissionsOf } from '../tokens/token.ts'
import { CREATE, LIST, NAMED, REVOKE } from './schemas/tokens.ts'

type Members = Static<typeof NewTokenMembersSchema>

export function addTokenRoutes(app: FastifyInstance, tokens: TokenRegistry): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.get(TOKENS_PATH, {
    config: { personal: true },
    schema: LIST,
    handler: async () => tokens.list().map(toWire),
  })

  routes.post(TOKENS_PATH, {
    config: { personal: true },
    schema: CREATE,
    preValidation: requireBody,
    handler: async ({ body, token }, reply) => {
      requireKnown(body)
      const { record, secret } = makeToken(readName(body), readPermissions(body))
      await tokens.add(record, token as TokenRecord)
      return reply
        .status(201)
        .header('cache-control', 'no-store')
        .send({ ...toWire(record), token: secret })
    },
  })

  routes.delete(`${TOKENS_PATH}/:id`, {
    config: { personal: true },
    schema: REVOKE,
    handler: async ({ params, token }, reply) => {
      await tokens.remove(params.id, token as TokenRecord)
      return reply.status(204).send()
    },
  })
}

/** Neither the hash nor anything else that is only for us. */
function toWire(record: TokenRecord): Token {
  const { id, name, kind, createdAt } = record
  return { id, name, kind, permissions: [...permissionsOf(record)], createdAt }
}

/** What is not known here may be meant to limit the token, and a token without that limit would say nothing of it. */
function requireKnown(body: Members): void {
  const unknown = Object.keys(body).find((member) => !Object.hasOwn(NewTokenMembersSchema.properties, member))
  if (unknown === undefined) return
  throw invalid(
    VALIDATION_CODES.enum,
    `${quoted(unknown)} is not known here, so it would not limit the token: a token has a name, a kind and permissions, which hold for every dataset until it is revoked`,
  )
}

/** Names go to logs and terminals; half a surrogate pair would come back changed from the records. */
const UNFIT = /[\p{Control}\p{Surrogate}]/u

function readName({ name }: Members): string {
  if (UNFIT.test(name)) {
    throw invalid(VALIDATION_CODES.pattern, `name must be well-formed Unicode without control characters, got ${showValue(name)}`)
  }
  return name
}

function readPermissions({ kind, permissions }: Members): Permission[] | 'all' {
  if (kind === 'personal') {
    if (!permissions) return 'all'
    const got = `got ${showValue(permissions)}`
    throw invalid(VALIDATION_CODES.itemsMax, `permissions must be left out for a personal token, which may do everything, ${got}`)
  }
  if (!permissions) {
    throw invalid(VALIDATION_CODES.required, 'permissions is required, or "kind": "personal" for a token that may do everything')
  }
  return [...new Set(permissions)]
}
