/**
 * The operations of tokens, as Fastify and the document take them.
 */
import { OWN_TOKEN_MEMBERS } from '@deployment-annotations/contract/header'
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import {
  MadeTokenSchema,
  NewTokenSchema,
  RegenerationSchema,
  TokenParams,
  TokenSchema,
} from '@deployment-annotations/contract/schemas/token'
import Type from '@deployment-annotations/contract/schemas/type'
import { preferHeader } from '../../http/request-headers.ts'
import { answer, documented, emptyAnswer, errorAnswer, errorAnswers } from '../../http/schemas.ts'

const tags = ['tokens']
const headers = documented(Type.Object(preferHeader(OWN_TOKEN_MEMBERS)))

export const NAMED = [TokenSchema]

export const LIST = {
  operationId: 'listTokens',
  summary: 'List tokens',
  description:
    'The token given at start, if there is one, then the stored ones, the oldest first. An API token sees API tokens only.',
  tags,
  headers,
  response: { 200: answer('The tokens, without their secrets.', Type.Array(refTo(TokenSchema))), ...errorAnswers(401, 403) },
}

export const GET = {
  operationId: 'getToken',
  summary: 'Get a token',
  tags,
  headers,
  params: TokenParams,
  response: {
    200: answer('The token, without its secret.', refTo(TokenSchema)),
    ...errorAnswers(400, 401, 403),
    404: errorAnswer('There is no such token.'),
  },
}

export const CREATE = {
  operationId: 'createToken',
  summary: 'Create a token',
  description:
    'Give `datasetCapabilities` and `orgCapabilities`, or `permissions`, which are for all datasets, or `"kind": "personal"` for a token that may do everything. An API token may give no more than it has.',
  tags,
  headers,
  body: NewTokenSchema,
  response: {
    201: {
      ...answer('The token with its secret, which is shown only this once.', MadeTokenSchema),
      headers: { 'cache-control': { type: 'string', description: '`no-store`' } },
    },
    ...errorAnswers(400, 401, 403, 413, 415, 422, 507),
  },
}

export const REGENERATE = {
  operationId: 'regenerateToken',
  summary: 'Make a token anew',
  description:
    'Makes a token with a secret of its own that may do the same, or what `newToken` says, and lets the one that is there expire.',
  tags,
  headers,
  params: TokenParams,
  body: RegenerationSchema,
  response: {
    200: {
      ...answer('The new token with its secret, which is shown only this once.', MadeTokenSchema),
      headers: { 'cache-control': { type: 'string', description: '`no-store`' } },
    },
    ...errorAnswers(400, 401, 403, 413, 415, 422, 507),
    404: errorAnswer('There is no such token.'),
    409: errorAnswer('The token was given at start, and is not stored.'),
  },
}

export const REVOKE = {
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description: 'It is refused from the next request on. A token may revoke itself.',
  tags,
  params: TokenParams,
  response: {
    204: emptyAnswer('It was revoked.'),
    ...errorAnswers(400, 401, 403, 507),
    404: errorAnswer('There is no such token.'),
    409: errorAnswer('The token was given at start: it goes away when the service is started without it.'),
  },
}
