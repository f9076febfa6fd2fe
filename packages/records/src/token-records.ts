/**
 * Tokens as records: their hashes and what they may do. Changes are part of a transaction, and all services make them one after the
 * other. Deliberately not here: the token that an operator gives at start, which is never stored.
 */
import { deletedName } from '@deployment-annotations/contract/dataset-name'
import { type Capability, PERMISSIONS, type Permission } from '@deployment-annotations/contract/permission'
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'
import { raiseVersion } from './versions.ts'

export interface TokenRecord {
  /** Begins with `tok_`. It names the token in the log. */
  id: string
  name: string
  description?: string
  kind: 'personal' | 'api'
  /**
   * The permissions as they were given. They are empty for a personal token, which may do everything, and for one with capabilities.
   */
  permissions: Permission[]
  /** The permissions by dataset. If absent, the permissions apply to all datasets. */
  capabilities?: StoredCapabilities
  /** It never expires if absent. */
  expiresAtMs?: number
  /** The hash in hexadecimal. */
  sha256: string
  /** RFC 3339. */
  createdAt: string
}

/** The permitted actions by resource. Datasets are listed by name, with `*` for all of them. */
export interface StoredCapabilities {
  datasets: Readonly<Record<string, Capability>>
  org: Capability
}

/** @returns the tokens in the order of their creation */
export async function listTokens(db: RecordsDatabase): Promise<TokenRecord[]> {
  const rows = await db.selectFrom('tokens').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(fromRow)
}

export async function findToken(db: RecordsDatabase, id: string): Promise<TokenRecord | undefined> {
  const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Begins a transaction that changes tokens: what it reads afterwards stays true until it ends. */
export async function lockTokens(db: RecordsDatabase): Promise<void> {
  await raiseVersion(db, 'tokens')
}

/** Call it after {@link lockTokens}. */
export async function insertToken(db: RecordsDatabase, record: TokenRecord): Promise<void> {
  await db.insertInto('tokens').values(toRow(record)).execute()
}

/** Call it after {@link lockTokens}. */
export async function setTokenExpiry(db: RecordsDatabase, id: string, expiresAtMs: number): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ expires_at_ms: BigInt(expiresAtMs) })
    .where('id', '=', id)
    .execute()
}

/** Stores a token if there is none. If several services start at once, one of them stores its token. @returns whether it was stored */
export async function insertFirstToken(db: RecordsDatabase, record: TokenRecord): Promise<boolean> {
  await lockTokens(db)
  if (await db.selectFrom('tokens').select('id').limit(1).executeTakeFirst()) return false
  await insertToken(db, record)
  return true
}

/** Call it after {@link lockTokens}. @returns whether there was such a token */
export async function deleteToken(db: RecordsDatabase, id: string): Promise<boolean> {
  const gone = await db.deleteFrom('tokens').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

/**
 * Takes a dataset that is being deleted from all tokens that name it, because another dataset of its name is not the one that they were
 * given. The name is replaced and not removed: a token without any names would reach all datasets.
 */
export async function retireDataset(db: RecordsDatabase, name: string): Promise<void> {
  const named = await db.selectFrom('tokens').selectAll().where('capabilities', 'like', `%${name}%`).execute()
  const naming = named.map(fromRow).filter(({ capabilities }) => capabilities && Object.hasOwn(capabilities.datasets, name))
  if (naming.length === 0) return
  await lockTokens(db)
  for (const { id, capabilities } of naming) {
    const { datasets = {}, org = {} } = capabilities ?? {}
    const renamed = Object.entries(datasets).map(([key, given]) => [key === name ? deletedName(name) : key, given])
    const rest = JSON.stringify({ datasets: Object.fromEntries(renamed), org })
    await db.updateTable('tokens').set({ capabilities: rest }).where('id', '=', id).execute()
  }
}

type TokenRow = Selectable<Tables['tokens']>

function fromRow(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    ...(row.description !== '' && { description: row.description }),
    kind: row.kind === 'personal' ? 'personal' : 'api',
    // Permissions that only a newer program knows allow nothing here.
    permissions: (JSON.parse(row.permissions) as unknown[]).filter(isPermission),
    ...(row.capabilities !== null && { capabilities: JSON.parse(row.capabilities) as StoredCapabilities }),
    ...(row.expires_at_ms !== null && { expiresAtMs: Number(row.expires_at_ms) }),
    sha256: row.sha256,
    createdAt: row.created_at,
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
