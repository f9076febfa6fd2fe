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
import { answersNothing, operationsOn } from '../../http/operations.ts'
import { includeParameter } from '../../http/request-headers.ts'
import { answer, emptyAnswer, errorAnswer, errorAnswers, secretAnswer } from '../../http/schemas.ts'

const on = operationsOn({ permissions: 'apiTokens', tags: ['tokens'], params: TokenParams, schema: TokenSchema })
const querystring = Type.Object(includeParameter(OWN_TOKEN_MEMBERS))
const made = (which: string) => secretAnswer(`${which} token with its secret, which is shown only this once.`, MadeTokenSchema)
const NO_TOKEN = errorAnswer('There is no such token.')

export const NAMED = [TokenSchema]

export const LIST = on.all('read', {
  operationId: 'listTokens',
  summary: 'List tokens',
  description:
    'The token given at start, if there is one, then the stored ones, the oldest first. An API token sees API tokens only.',
  querystring,
  response: { 200: answer('The tokens, without their secrets.', Type.Array(refTo(TokenSchema))), ...errorAnswers(401, 403) },
})

export const GET = on.one('read', {
  operationId: 'getToken',
  summary: 'Get a token',
  querystring,
  response: {
    200: answer('The token, without its secret.', refTo(TokenSchema)),
    ...errorAnswers(400, 401, 403),
    404: NO_TOKEN,
  },
})

export const CREATE = on.all('create', {
  operationId: 'createToken',
  summary: 'Create a token',
  description:
    'Give `datasetCapabilities` and `orgCapabilities`, or `permissions`, which are for all datasets, or `"kind": "personal"` for a token that may do everything. An API token may give no more than it has.',
  querystring,
  body: NewTokenSchema,
  response: { 201: made('The'), ...errorAnswers(400, 401, 403, 413, 415, 422, 507) },
})

export const REGENERATE = on.one('update', {
  operationId: 'regenerateToken',
  summary: 'Make a token anew',
  description:
    'Makes a token with a secret of its own that may do the same, or what `newToken` says, and lets the one that is there expire.',
  querystring,
  body: RegenerationSchema,
  response: {
    200: made('The new'),
    ...errorAnswers(400, 401, 403, 413, 415, 422, 507),
    404: NO_TOKEN,
    409: errorAnswer('The token was given at start, and is not stored.'),
  },
})

const revocation = on.one('delete', {
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description: 'It is refused from the next request on. A token may revoke itself.',
  response: {
    204: emptyAnswer('It was revoked.'),
    ...errorAnswers(400, 401, 403, 507),
    404: NO_TOKEN,
    409: errorAnswer('The token was given at start: it goes away when the service is started without it.'),
  },
})
export const REVOKE = { ...revocation, preHandler: answersNothing }
