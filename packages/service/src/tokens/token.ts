/**
 * A token: how one is made, how its hash is taken, what it may do.
 *
 * Plain SHA-256 suffices here. A slow, salted hash protects secrets that can be guessed; a made token carries 256 random
 * bits, so nobody can try them all however fast the hash is, and no two tokens are equal, so there is nothing to salt.
 */
import { hash, randomBytes } from 'node:crypto'
import { PERMISSIONS, type Permission } from '@deployment-annotations/contract/token'
import type { TokenRecord } from '../records/token-records.ts'

/** Published clients tell the kinds apart by these. */
const PREFIX = { personal: 'xapt-', api: 'xaat-' } as const
const SECRET_BYTES = 32

/** Visible ASCII without blanks: what a header can carry and a shell does not split. */
const TOKEN_PATTERN = /^[\x21-\x7e]+$/

/** Of a token that the operator chose: it may do everything, and nobody can see how it was chosen. */
const LENGTH_MIN = 16
const DIFFERENT_MIN = 8

export function hashToken(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** @returns the token's record, and its secret, which exists nowhere else */
export function makeToken(name: string, permissions: readonly Permission[] | 'all'): { record: TokenRecord; secret: string } {
  const kind = permissions === 'all' ? 'personal' : 'api'
  const secret = PREFIX[kind] + randomBytes(SECRET_BYTES).toString('hex')
  return { secret, record: buildRecord(`tok_${randomBytes(6).toString('hex')}`, name, kind, permissions, secret) }
}

/**
 * A personal token that the operator chose. It is never written: it may be short or used elsewhere, and a hash of such a
 * secret can be guessed. Its id is the same in every run, so that a repeated create is recognized after a restart.
 * @throws Error, without the secret, when it could not be sent in a header, or is easy to guess
 */
export function acceptToken(secret: string): TokenRecord {
  if (!TOKEN_PATTERN.test(secret)) throw new Error('the token is empty or contains a space, control or non-ASCII character')
  const random = secret.replace(/^xa[ap]t-/, '')
  if (random.length < LENGTH_MIN || new Set(random).size < DIFFERENT_MIN) {
    throw new Error(
      `the token is easy to guess: it needs at least ${LENGTH_MIN} characters, ${DIFFERENT_MIN} of them different; \`openssl rand -hex 32\` makes one`,
    )
  }
  return buildRecord('tok_operator', 'given at start', 'personal', 'all', secret)
}

function buildRecord(
  id: string,
  name: string,
  kind: TokenRecord['kind'],
  permissions: readonly Permission[] | 'all',
  secret: string,
): TokenRecord {
  return {
    id,
    name,
    kind,
    permissions: permissions === 'all' ? [] : [...permissions],
    sha256: hashToken(secret).toString('hex'),
    createdAt: new Date().toISOString(),
  }
}

/** @returns what the token may do: a personal one all there is, also what was added after it was made */
export function permissionsOf({ kind, permissions }: TokenRecord): readonly Permission[] {
  return kind === 'personal' ? PERMISSIONS : permissions
}

/** Whose request something is done for. */
export interface Caller {
  /** Of the token. */
  id: string
  /** @param purpose what for, as the end of a sentence. @throws ServiceError `forbidden` where the token lacks the permission */
  require(permission: Permission, purpose: string): void
}

export function mayDo(token: TokenRecord, permission: Permission): boolean {
  return permissionsOf(token).includes(permission)
}
