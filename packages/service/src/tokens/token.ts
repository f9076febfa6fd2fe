/**
 * A token: how one is made, how its hash is taken, what it may do.
 *
 * Plain SHA-256 suffices here. A slow, salted hash protects secrets that can be guessed; a made token carries 256 random
 * bits, so nobody can try them all however fast the hash is, and no two tokens are equal, so there is nothing to salt.
 */
import { hash, randomBytes } from 'node:crypto'
import { capabilitiesOf, datasetsOf, isCapable, PERMISSIONS, type Permission } from '@deployment-annotations/contract/permission'
import type { StoredCapabilities, TokenRecord } from '@deployment-annotations/records/tokens/token-records'
import { ALL_CAPABILITIES } from './capabilities.ts'

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

/** What a token is made with. Of an API token either `permissions` or `capabilities`, of a personal one neither. */
export interface NewTokenRecord {
  name: string
  description?: string
  kind: TokenRecord['kind']
  permissions?: readonly Permission[]
  capabilities?: StoredCapabilities
  /** Absent: it never expires. */
  expiresAtMs?: number
}

/** @returns the token's record, and its secret, which exists nowhere else */
export function makeToken(made: NewTokenRecord): { record: TokenRecord; secret: string } {
  const secret = PREFIX[made.kind] + randomBytes(SECRET_BYTES).toString('hex')
  return { secret, record: buildRecord(`tok_${randomBytes(6).toString('hex')}`, made, secret) }
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
  return buildRecord('tok_operator', { name: 'operator', kind: 'personal' }, secret)
}

function buildRecord(id: string, { permissions = [], ...made }: NewTokenRecord, secret: string): TokenRecord {
  return {
    ...made,
    id,
    permissions: [...permissions],
    sha256: hashToken(secret).toString('hex'),
    createdAt: new Date().toISOString(),
  }
}

/** @returns what it was given, in the one form that is asked */
export function capabilitiesOfToken({ kind, permissions, capabilities }: TokenRecord): StoredCapabilities {
  return kind === 'personal' ? ALL_CAPABILITIES : (capabilities ?? capabilitiesOf(permissions))
}

/** @returns what the token may do, with one dataset at least; a personal one all there is, also what was added after it was made */
export function permissionsOf(token: TokenRecord): readonly Permission[] {
  return token.permissions.length > 0 ? token.permissions : PERMISSIONS.filter((permission) => mayDo(token, permission))
}

/** @param dataset absent: with any one */
export function mayDo(token: TokenRecord, permission: Permission, dataset?: string): boolean {
  return token.kind === 'personal' || isCapable(capabilitiesOfToken(token), permission, dataset)
}

/** @returns the only datasets that the token reaches; `undefined`: all */
export function limitOf(token: TokenRecord): readonly string[] | undefined {
  return datasetsOf(capabilitiesOfToken(token))
}

export function hasExpired({ expiresAtMs }: Pick<TokenRecord, 'expiresAtMs'>, nowMs: number): boolean {
  return expiresAtMs !== undefined && nowMs >= expiresAtMs
}
