/**
 * Tokens: their paths and bounds. What one may be allowed to do is in permission.ts, the shapes are in schemas/token.ts.
 */
import { toSegment } from './text.ts'

export const TOKENS_PATH = '/v2/tokens'

/** @returns the path of one token, its id escaped */
export function tokenPath(id: string): string {
  return `${TOKENS_PATH}/${toSegment(id)}`
}

export function regeneratePath(id: string): string {
  return `${tokenPath(id)}/regenerate`
}

export const USER_PATH = '/v2/user'
export const OWN_PERMISSIONS_PATH = `${USER_PATH}/permissions`

export const TOKEN_KINDS = ['api', 'personal'] as const
export const TOKEN_ID_PATTERN = /^tok_[A-Za-z0-9_-]{1,64}$/
/** The longest texts, in Unicode code points. */
export const TOKEN_NAME_POINTS_MAX = 256
export const TOKEN_DESCRIPTION_POINTS_MAX = 512

/** How many datasets one token can name. */
export const TOKEN_DATASETS_MAX = 1_000
