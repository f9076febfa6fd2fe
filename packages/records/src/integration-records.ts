/**
 * Integrations as records, with their encrypted secrets. Changes are part of a transaction, and come one after the other in all
 * services. Deliberately not here: platforms, keys, and the rules that settings obey.
 */
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'
import { raiseVersion } from './versions.ts'

/** An integration as it is kept. */
export interface IntegrationRecord {
  /** Begins with `int_`; names it in the log, and annotations it made have it as their maker. */
  id: string
  platform: string
  name: string
  datasets: string[]
  /** Type of the annotations. */
  type: string
  /** Title of the annotations. */
  title: string
  /** Only deployments to these are marked; empty: to any. */
  environments: string[]
  encryptedSecret: string
  /** RFC 3339. */
  createdAt: string
}

/** @returns the integrations in the order in which they were made */
export async function listIntegrations(db: RecordsDatabase): Promise<IntegrationRecord[]> {
  const rows = await db.selectFrom('integrations').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(fromRow)
}

/**
 * To be called first in a transaction that changes integrations: it stays as it was read until the transaction ends.
 * @returns all there are
 */
export async function lockIntegrations(db: RecordsDatabase): Promise<IntegrationRecord[]> {
  await raiseVersion(db, 'integrations')
  return listIntegrations(db)
}

/** After {@link lockIntegrations}. */
export async function insertIntegration(db: RecordsDatabase, record: IntegrationRecord): Promise<void> {
  await db.insertInto('integrations').values(toRow(record)).execute()
}

/** After {@link lockIntegrations}; replaces the one with the same id. */
export async function updateIntegration(db: RecordsDatabase, record: IntegrationRecord): Promise<void> {
  const { id, ...row } = toRow(record)
  await db.updateTable('integrations').set(row).where('id', '=', id).execute()
}

/** After {@link lockIntegrations}. */
export async function deleteIntegration(db: RecordsDatabase, id: string): Promise<void> {
  await db.deleteFrom('integrations').where('id', '=', id).execute()
}

type IntegrationRow = Selectable<Tables['integrations']>

function fromRow(row: IntegrationRow): IntegrationRecord {
  const { datasets, environments, encrypted_secret: encryptedSecret, created_at: createdAt, ...same } = row
  return { ...same, datasets: JSON.parse(datasets), environments: JSON.parse(environments), encryptedSecret, createdAt }
}

function toRow({ datasets, environments, encryptedSecret, createdAt, ...same }: IntegrationRecord): IntegrationRow {
  return {
    ...same,
    datasets: JSON.stringify(datasets),
    environments: JSON.stringify(environments),
    encrypted_secret: encryptedSecret,
    created_at: createdAt,
  }
}
