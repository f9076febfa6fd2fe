/**
 * Integrations as records, with their encrypted secrets. Changes are part of a transaction, and all services make them one after the
 * other. Deliberately not here: platforms, keys, and the rules for settings.
 */

import { recordTable } from '../database/record-table.ts'
import type { RecordsDatabase } from '../database/records.ts'
import { raiseVersion } from '../database/versions.ts'
import { INTEGRATION_CODEC, type IntegrationRecord } from '../schema/integrations.ts'

export type { IntegrationRecord } from '../schema/integrations.ts'

const INTEGRATIONS = recordTable('integrations', INTEGRATION_CODEC, ['created_at'])
export const { list: listIntegrations } = INTEGRATIONS
/** To be called after {@link lockIntegrations}. */
export const { insert: insertIntegration, update: updateIntegration, remove: deleteIntegration } = INTEGRATIONS

/**
 * Begins a transaction that changes integrations: nobody else changes them until it ends.
 * @returns all integrations
 */
export async function lockIntegrations(db: RecordsDatabase): Promise<IntegrationRecord[]> {
  await raiseVersion(db, 'integrations')
  return listIntegrations(db)
}
