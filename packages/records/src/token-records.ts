/**
 * Tokens as records: their hashes and what they may do. Changes are part of a transaction, and come one after the other in all
 * services. Deliberately not here: the token that an operator gives at start, which is never stored.
 */
import { type Capability, PERMISSIONS, type Permission } from '@deployment-annotations/contract/token'
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'
import { raiseVersion } from './versions.ts'

export interface TokenRecord {
  /** Begins with `tok_`; names the token in the log. */
  id: string
  name: string
  /** Empty: none. */
  description?: string
  kind: 'personal' | 'api'
  /** As they were given; empty for a personal token, which may do everything, and for one that was given capabilities. */
  permissions: Permission[]
  /** What it may do with which dataset; absent: what the permissions say, with all of them. */
  capabilities?: StoredCapabilities
  /** Absent: never. */
  expiresAtMs?: number
  /** In hexadecimal. */
  sha256: string
  /** RFC 3339. */
  createdAt: string
}

/** Actions by resource: of datasets by name, `*` standing for all, and of everything else. */
export interface StoredCapabilities {
  datasets: Readonly<Record<string, Capability>>
  org: Capability
}

/** @returns the tokens in the order in which they were made */
export async function listTokens(db: RecordsDatabase): Promise<TokenRecord[]> {
  const rows = await db.selectFrom('tokens').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(fromRow)
}

export async function findToken(db: RecordsDatabase, id: string): Promise<TokenRecord | undefined> {
  const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** To be called first in a transaction that changes tokens: what it then reads stays true until the transaction ends. */
export async function lockTokens(db: RecordsDatabase): Promise<void> {
  await raiseVersion(db, 'tokens')
}

/** After {@link lockTokens}. */
export async function insertToken(db: RecordsDatabase, record: TokenRecord): Promise<void> {
  await db.insertInto('tokens').values(toRow(record)).execute()
}

/** After {@link lockTokens}. */
export async function setTokenExpiry(db: RecordsDatabase, id: string, expiresAtMs: number): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ expires_at_ms: BigInt(expiresAtMs) })
    .where('id', '=', id)
    .execute()
}

/** Stores a token if there is none: of several services that start at once, one does. @returns whether it was stored */
export async function insertFirstToken(db: RecordsDatabase, record: TokenRecord): Promise<boolean> {
  await lockTokens(db)
  if (await db.selectFrom('tokens').select('id').limit(1).executeTakeFirst()) return false
  await insertToken(db, record)
  return true
}

/** After {@link lockTokens}. @returns whether it was there */
export async function deleteToken(db: RecordsDatabase, id: string): Promise<boolean> {
  const gone = await db.deleteFrom('tokens').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

type TokenRow = Selectable<Tables['tokens']>

function fromRow(row: TokenRow): TokenRecord {
  const {
    id,
    name,
    description,
    kind,
    permissions,
    capabilities,
    expires_at_ms: expiresAtMs,
    sha256,
    created_at: createdAt,
  } = row
  return {
    id,
    name,
    ...(description !== '' && { description }),
    kind: kind === 'personal' ? 'personal' : 'api',
    // Those that only a newer program knows let nobody do anything here.
    permissions: (JSON.parse(permissions) as unknown[]).filter(isPermission),
    ...(capabilities !== null && { capabilities: JSON.parse(capabilities) as StoredCapabilities }),
    ...(expiresAtMs !== null && { expiresAtMs: Number(expiresAtMs) }),
    sha256,
    createdAt,
  }
}

function toRow(record: TokenRecord): TokenRow {
  const { id, name, description = '', kind, permissions, capabilities, expiresAtMs, sha256, createdAt } = record
  return {
    id,
    name,
    description,
    kind,
    permissions: JSON.stringify(permissions),
    capabilities: capabilities === undefined ? null : JSON.stringify(capabilities),
    expires_at_ms: expiresAtMs === undefined ? null : BigInt(expiresAtMs),
    sha256,
    created_at: createdAt,
  }
}

export function isPermission(value: unknown): value is Permission {
  return (PERMISSIONS as readonly unknown[]).includes(value)
}
