/**
 * Tokens as records: their hashes and what they may do. Changes are part of a transaction, and all services make them one after the
 * other. Deliberately not here: the token that an operator gives at start, which is never stored.
 */
import { deletedName } from '@deployment-annotations/contract/dataset-name'
import { recordTable } from '../database/record-table.ts'
import type { RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { TOKEN_CODEC, type TokenRecord } from '../schema/tokens.ts'

export { isPermission, type StoredCapabilities, type TokenRecord } from '../schema/tokens.ts'

const { fromRow, toChange } = TOKEN_CODEC
const TOKENS = recordTable('tokens', TOKEN_CODEC, ['created_at'])
export const { list: listTokens, find: findToken } = TOKENS
/** A transaction that changes tokens raises their version first: what it reads afterwards stays true until it ends. */
export const { insert: insertToken, remove: deleteToken } = TOKENS

export async function setTokenExpiry(db: RecordsDatabase, id: string, expiresAtMs: number): Promise<void> {
  await db.updateTable('tokens').set(toChange({ expiresAtMs })).where('id', '=', id).execute()
}

/** Stores a token if there is none. If several services start at once, one of them stores its token. @returns whether it was stored */
export async function insertFirstToken(db: RecordsDatabase, record: TokenRecord): Promise<boolean> {
  await raiseVersion(db, 'tokens')
  if (await db.selectFrom('tokens').select('id').limit(1).executeTakeFirst()) return false
  await insertToken(db, record)
  return true
}

/**
 * Takes a dataset that is being deleted from all tokens that name it, because another dataset of its name is not the one that they were
 * given. The name is replaced and not removed: a token without any names would reach all datasets.
 */
export async function retireDataset(db: RecordsDatabase, name: string): Promise<void> {
  const named = await db.selectFrom('tokens').selectAll().where('capabilities', 'like', `%${name}%`).execute()
  const naming = named.map(fromRow).filter(({ capabilities }) => capabilities && Object.hasOwn(capabilities.datasets, name))
  if (naming.length === 0) return
  await raiseVersion(db, 'tokens')
  for (const { id, capabilities } of naming) {
    const { datasets = {}, org = {} } = capabilities ?? {}
    const renamed = Object.entries(datasets).map(([key, given]) => [key === name ? deletedName(name) : key, given])
    const retired = toChange({ capabilities: { datasets: Object.fromEntries(renamed), org } })
    await db.updateTable('tokens').set(retired).where('id', '=', id).execute()
  }
}
