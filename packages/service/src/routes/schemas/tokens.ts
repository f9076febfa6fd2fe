/**
 * The operations of tokens, as Fastify and the document take them.
 */
import { DOCUMENTED, refTo } from '@deployment-annotations/contract/schemas/parts'
import {
  MadeTokenSchema,
  NewTokenMembersSchema,
  NewTokenSchema,
  TokenParams,
  TokenSchema,
} from '@deployment-annotations/contract/schemas/token'
import Type from '@deployment-annotations/contract/schemas/type'
import { answer, emptyAnswer, errorAnswer, errorAnswers } from '../../http/schemas.ts'

const tags = ['tokens']

export const NAMED = [TokenSchema]

export const LIST = {
  operationId: 'listTokens',
  summary: 'List tokens',
  description: 'The token given at start, if there is one, then the stored ones, the oldest first.',
  tags,
  response: { 200: answer('The tokens, without their secrets.', Type.Array(refTo(TokenSchema))), ...errorAnswers(401, 403) },
}

export const CREATE = {
  operationId: 'createToken',
  summary: 'Create a token',
  description: 'Give `permissions`, or `"kind": "personal"` for a token that may do everything.',
  tags,
  body: Type.Object(NewTokenMembersSchema.properties, { [DOCUMENTED]: { title: 'NewToken', ...NewTokenSchema } }),
  response: {
    201: {
      ...answer('The token with its secret, which is shown only this once.', MadeTokenSchema),
      headers: { 'cache-control': { type: 'string', description: '`no-store`' } },
    },
    ...errorAnswers(400, 401, 403, 413, 415, 422, 507),
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
