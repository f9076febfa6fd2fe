/**
 * Tokens on the wire: their shapes, rules and paths. A secret is only ever in one answer, the one that creates its token.
 * Their schemas are in schemas/token.ts, which this file does not load.
 */
import type { Static } from 'typebox'
import { toSegment } from './path.ts'
import type { OWN_TOKEN_MEMBERS } from './rules/own-members.ts'
import type { PERMISSIONS } from './rules/token.ts'
import type { MadeTokenSchema, NewTokenMembersSchema, NewTokenSchema, RegenerationSchema, TokenSchema } from './schemas/token.ts'

export * from './rules/capability.ts'
export * from './rules/token.ts'
export type { Capability } from './schemas/capability.ts'

/** With the members that are answered where a request asks for them. */
type Whole<T extends { [M in (typeof OWN_TOKEN_MEMBERS)[number]]?: unknown }> = T &
  Required<Pick<T, (typeof OWN_TOKEN_MEMBERS)[number]>>

export type Permission = (typeof PERMISSIONS)[number]

/** A token as it is listed, without its secret. */
export type Token = Whole<Static<typeof TokenSchema>>

/** The one answer with the secret. */
export type MadeToken = Whole<Static<typeof MadeTokenSchema>>

/** An API token comes with what it may do; a personal one may do everything. */
export type NewToken = Static<typeof NewTokenSchema>

/** As {@link NewToken}, before the rules of each form are checked. */
export type NewTokenMembers = Static<typeof NewTokenMembersSchema>

/** What makes a new secret for a token, and ends the old one. */
export type TokenRegeneration = Static<typeof RegenerationSchema>

export const TOKENS_PATH = '/v2/tokens'

/** @returns the path of one token, its id escaped */
export function tokenPath(id: string): string {
  return `${TOKENS_PATH}/${toSegment(id)}`
}

export function regeneratePath(id: string): string {
  return `${tokenPath(id)}/regenerate`
}
