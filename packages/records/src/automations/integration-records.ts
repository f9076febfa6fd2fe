/**
 * Integrations as records, with their encrypted secrets. Changes are part of a transaction, and all services make them one after the
 * other. Deliberately not here: platforms, keys, and the rules for settings.
 */
import type { RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { INTEGRATION_CODEC, type IntegrationRecord } from '../schema/integrations.ts'

export type { IntegrationRecord } from '../schema/integrations.ts'

const { fromRow, toRow } = INTEGRATION_CODEC

/** @returns the integrations in the order in which they were made */
export async function listIntegrations(db: RecordsDatabase): Promise<IntegrationRecord[]> {
  const rows = await db.selectFrom('integrations').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(fromRow)
}

/**
 * Begins a transaction that changes integrations: nobody else changes them until it ends.
 * @returns all integrations
 */
export async function lockIntegrations(db: RecordsDatabase): Promise<IntegrationRecord[]> {
  await raiseVersion(db, 'integrations')
  return listIntegrations(db)
}

/** Call it after {@link lockIntegrations}. */
export async function insertIntegration(db: RecordsDatabase, record: IntegrationRecord): Promise<void> {
  await db.insertInto('integrations').values(toRow(record)).execute()
}

/** Replaces the integration with the same id. Call it after {@link lockIntegrations}. */
export async function updateIntegration(db: RecordsDatabase, record: IntegrationRecord): Promise<void> {
  const { id, ...row } = toRow(record)
  await db.updateTable('integrations').set(row).where('id', '=', id).execute()
}

/** Call it after {@link lockIntegrations}. */
export async function deleteIntegration(db: RecordsDatabase, id: string): Promise<void> {
  await db.deleteFrom('integrations').where('id', '=', id).execute()
}
