/**
 * Tokens: made, made anew and revoked. A secret is only ever in one answer, the one that makes its token.
 */
import { withAllMembers } from '@deployment-annotations/contract/header'
import type {
  NewToken,
  TokenRegeneration,
  MadeToken as WireMadeToken,
  Token as WireToken,
} from '@deployment-annotations/contract/schemas/token'
import { regeneratePath, TOKENS_PATH, tokenPath } from '@deployment-annotations/contract/token'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing } from './reply.ts'
import { createAsk, listWith, oneWith } from './resources.ts'

/** Members that the hosted service does not have, or may leave out, are optional here. */
export type Token = Pick<WireToken, 'id' | 'name'> & Partial<WireToken>

/** With `token`, its secret. */
export type MadeToken = Token & Pick<WireMadeToken, 'token'>

export interface TokensClient {
  /**
   * A create whose answer is lost is not sent again, because the secret of the first would be lost: the error's
   * `mayHaveTakenEffect` is then true, and the list shows whether there is a token to revoke.
   */
  create(token: NewToken, options?: CallOptions): Promise<MadeToken>
  /** Without their secrets. */
  list(options?: CallOptions): Promise<Token[]>
  get(id: string, options?: CallOptions): Promise<Token>
  /** Makes a token that may do the same and lets this one expire; not sent again where its answer is lost, as a create. */
  regenerate(id: string, regeneration: TokenRegeneration, options?: CallOptions): Promise<MadeToken>
  /** Revokes it: it is refused from the next request on. */
  delete(id: string, options?: CallOptions): Promise<void>
}

const parseMade = oneWith<MadeToken>('token')

export function createTokensClient(connection: Connection): TokensClient {
  const ask = createAsk(connection)
  return {
    create: (body, options) => ask('POST', withAllMembers(TOKENS_PATH), { body, read: parseMade, options, isSentOnce: true }),
    list: (options) => ask('GET', withAllMembers(TOKENS_PATH), { read: listWith<Token>('id'), options }),
    get: (id, options) => ask('GET', withAllMembers(tokenPath(id)), { read: oneWith<Token>('id'), options }),
    regenerate: (id, body, options) =>
      ask('POST', withAllMembers(regeneratePath(id)), { body, read: parseMade, options, isSentOnce: true }),
    delete: (id, options) => ask('DELETE', tokenPath(id), { read: parseNothing, options }),
  }
}
