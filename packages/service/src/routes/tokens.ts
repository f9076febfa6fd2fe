/**
 * `/v2/tokens`: tokens listed, made and revoked over HTTP. For personal tokens only, because an API token that could make
 * tokens could widen itself. A secret is in one answer, that of its making, and in no other.
 * Deliberately not here: how tokens are kept, which the `token` subcommands share; see `tokens/token-file.ts`.
 */

import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { FastifyInstance } from 'fastify'
import { invalid, showValue } from '../errors.ts'
import { errorAnswer, errorAnswers } from '../http/schemas.ts'
import { PERMISSIONS, type Permission } from '../tokens/permissions.ts'
import type { TokenRegistry } from '../tokens/registry.ts'
import { makeToken, permissionsOf, type TokenRecord } from '../tokens/token.ts'

const PATH = '/v2/tokens'
const TAGS = ['tokens']
const NAME_POINTS_MAX = 256

interface NewToken {
  name: string
  kind?: TokenRecord['kind']
  permissions?: Permission[]
}

export function addTokenRoutes(app: FastifyInstance, tokens: TokenRegistry): void {
  app.addSchema(TOKEN_SCHEMA)

  app.get(PATH, {
    config: { personal: true },
    schema: {
      operationId: 'listTokens',
      summary: 'List tokens',
      description: 'The one given at start, if there is one, then those that were made, oldest first.',
      tags: TAGS,
      response: {
        200: {
          description: 'The tokens, without their secrets.',
          content: { 'application/json': { schema: { type: 'array', items: { $ref: 'Token#' } } } },
        },
        ...errorAnswers(401, 403),
      },
    },
    handler: async () => tokens.list().map(show),
  })

  app.post<{ Body: NewToken }>(PATH, {
    config: { personal: true },
    schema: {
      operationId: 'createToken',
      summary: 'Make a token',
      description: 'Give `permissions`, or `"kind": "personal"` for a token that may do all.',
      tags: TAGS,
      body: NEW_TOKEN_SCHEMA,
      response: { 201: MADE, ...errorAnswers(400, 401, 403, 413, 415, 422, 507) },
    },
    preValidation: async ({ body }) => {
      if (body === undefined) throw invalid(VALIDATION_CODES.required, 'the body is required')
    },
    handler: async ({ body, token }, reply) => {
      const { record, secret } = makeToken(readName(body), readPermissions(body))
      await tokens.add(record, token as TokenRecord)
      return reply
        .status(201)
        .header('cache-control', 'no-store')
        .send({ ...show(record), token: secret })
    },
  })

  app.delete<{ Params: { id: string } }>(`${PATH}/:id`, {
    config: { personal: true },
    schema: {
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      description: 'It is refused from the next request on. A token may revoke itself.',
      tags: TAGS,
      params: ID_PARAMS,
      response: {
        204: { description: 'It is revoked.', type: 'null' },
        ...errorAnswers(400, 401, 403, 507),
        404: errorAnswer('There is no such token.'),
        409: errorAnswer('The token was given at start: it goes away when the service is started without it.'),
      },
    },
    handler: async ({ params, token }, reply) => {
      await tokens.remove(params.id, token as TokenRecord)
      return reply.status(204).send()
    },
  })
}

/** Neither the hash nor anything else that is only for us. */
function show(record: TokenRecord) {
  const { id, name, kind, createdAt } = record
  return { id, name, kind, permissions: permissionsOf(record), createdAt }
}

/** Names go to logs and terminals; half a surrogate pair would come back changed from the file. */
const UNFIT = /[\p{Control}\p{Surrogate}]/u

function readName({ name }: NewToken): string {
  if (UNFIT.test(name)) {
    throw invalid(VALIDATION_CODES.pattern, `name must be well-formed Unicode without control characters, got ${showValue(name)}`)
  }
  return name
}

function readPermissions({ kind, permissions }: NewToken): Permission[] | 'all' {
  if (kind === 'personal') {
    if (!permissions) return 'all'
    const got = `got ${showValue(permissions)}`
    throw invalid(VALIDATION_CODES.itemsMax, `permissions must be left out of a personal token, which may do all, ${got}`)
  }
  if (!permissions) {
    throw invalid(VALIDATION_CODES.required, 'permissions is required, or "kind": "personal" for a token that may do all')
  }
  return [...new Set(permissions)]
}

const KIND = { type: 'string', enum: ['api', 'personal'] } as const
const PERMISSION = { type: 'string', enum: PERMISSIONS } as const

const TOKEN_SCHEMA = {
  $id: 'Token',
  title: 'Token',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'kind', 'permissions', 'createdAt'],
  properties: {
    id: { type: 'string', description: 'Names the token in the log; it lets nobody in.' },
    name: { type: 'string' },
    kind: KIND,
    permissions: { type: 'array', items: PERMISSION, description: 'What it may do; of a personal token all there is.' },
    createdAt: { type: 'string', format: 'date-time', description: 'Of the token given at start: when that was.' },
  },
} as const

const MADE = {
  description: 'The token with its secret, which is shown only this once.',
  headers: { 'cache-control': { type: 'string', description: '`no-store`' } },
  content: {
    'application/json': {
      schema: {
        ...TOKEN_SCHEMA,
        $id: 'MadeToken',
        title: 'MadeToken',
        required: [...TOKEN_SCHEMA.required, 'token'],
        properties: {
          ...TOKEN_SCHEMA.properties,
          token: { type: 'string', description: 'What goes behind `Bearer` in the header Authorization.' },
        },
      },
    },
  },
} as const

const NEW_TOKEN_SCHEMA = {
  title: 'NewToken',
  type: 'object',
  required: ['name'],
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: NAME_POINTS_MAX,
      description: 'What the log and the list call it; without control characters.',
    },
    kind: { ...KIND, description: '`api` by default.' },
    permissions: { type: 'array', minItems: 1, items: PERMISSION, description: 'What an API token may do.' },
  },
} as const

const ID_PARAMS = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: '^tok_[A-Za-z0-9_-]{1,64}$', description: 'As listed.' } },
} as const
