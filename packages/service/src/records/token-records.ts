/**
 * Tokens as records: their hashes and what they may do. Changes are part of a transaction, and come one after the other in all
 * services. Deliberately not here: the token that an operator gives at start, which is never stored.
 */
import { PERMISSIONS, type Permission } from '@deployment-annotations/contract/token'
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'
import { raiseVersion } from './versions.ts'

export interface TokenRecord {
  /** Begins with `tok_`; names the token in the log. */
  id: string
  name: string
  kind: 'personal' | 'api'
  /** Empty for a personal token, which may do everything. */
  permissions: Permission[]
  /** In hexadecimal. */
  sha256: string
  /** RFC 3339. */
  createdAt: string
}

/** @returns the tokens in the order in which they were made */
export async function listTokens(db: RecordsDatabase): Promise<TokenRecord[]> {
  const rows = await db.selectFrom('tokens').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(fromRow)
}

export async function hasToken(db: RecordsDatabase, id: string): Promise<boolean> {
  return (await db.selectFrom('tokens').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** To be called first in a transaction that changes tokens: what it then reads stays true until the transaction ends. */
export async function lockTokens(db: RecordsDatabase): Promise<void> {
  await raiseVersion(db, 'tokens')
}

/** After {@link lockTokens}. */
export async function insertToken(db: RecordsDatabase, record: TokenRecord): Promise<void> {
  await db.insertInto('tokens').values(toRow(record)).execute()
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

function fromRow({ id, name, kind, permissions, sha256, created_at: createdAt }: TokenRow): TokenRecord {
  return {
    id,
    name,
    kind: kind === 'personal' ? 'personal' : 'api',
    // Those that only a newer program knows let nobody do anything here.
    permissions: (JSON.parse(permissions) as unknown[]).filter(isPermission),
    sha256,
    createdAt,
  }
}

function toRow({ permissions, createdAt, ...record }: TokenRecord): TokenRow {
  return { ...record, permissions: JSON.stringify(permissions), created_at: createdAt }
}

export function isPermission(value: unknown): value is Permission {
  return (PERMISSIONS as readonly unknown[]).includes(value)
}
