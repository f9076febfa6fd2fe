/**
 * Tokens as records: their hashes and what they may do. Changes are part of a transaction, and all services make them one after the
 * other. Deliberately not here: the token that an operator gives at start, which is never stored.
 */
import { deletedName } from '@deployment-annotations/contract/dataset-name'
import type { RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { TOKEN_CODEC, type TokenRecord } from '../schema/tokens.ts'

export { isPermission, type StoredCapabilities, type TokenRecord } from '../schema/tokens.ts'

const { fromRow, toRow, toChange } = TOKEN_CODEC

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
  await db.updateTable('tokens').set(toChange({ expiresAtMs })).where('id', '=', id).execute()
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
    const rest = { datasets: Object.fromEntries(renamed), org }
    await db
      .updateTable('tokens')
      .set(toChange({ capabilities: rest }))
      .where('id', '=', id)
      .execute()
  }
}
