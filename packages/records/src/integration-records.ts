/**
 * Integrations as records, with their encrypted secrets. Changes are part of a transaction, and all services make them one after the
 * other. Deliberately not here: platforms, keys, and the rules for settings.
 */
import type { IntegrationMapping, IntegrationRule } from '@deployment-annotations/contract/schemas/integration'
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'
import { raiseVersion } from './versions.ts'

export interface IntegrationRecord {
  /** Begins with `int_`. It names the integration in the log and as the creator of its annotations. */
  id: string
  platform: string
  name: string
  datasets: string[]
  type: string
  title: string
  /** Only deployments to these are marked; if empty, all are. */
  environments: string[]
  /** Where certain deployments are marked; the first that matches counts. */
  rules: IntegrationRule[]
  /** How other bodies than our own are read. */
  mapping?: IntegrationMapping
  encryptedSecret: string
  /** RFC 3339. */
  createdAt: string
  /** The only datasets that the token reaches which said where it marks. All if absent. */
  reach?: string[]
}

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

type IntegrationRow = Selectable<Tables['integrations']>

function fromRow(row: IntegrationRow): IntegrationRecord {
  const { datasets, environments, rules, mapping, reach, encrypted_secret: encryptedSecret, created_at: createdAt, ...same } = row
  return {
    ...same,
    ...(reach !== null && { reach: JSON.parse(reach) }),
    datasets: JSON.parse(datasets),
    environments: JSON.parse(environments),
    rules: JSON.parse(rules),
    ...(mapping !== null && { mapping: JSON.parse(mapping) }),
    encryptedSecret,
    createdAt,
  }
}

function toRow(record: IntegrationRecord): IntegrationRow {
  const { datasets, environments, rules, mapping, reach, encryptedSecret, createdAt, ...same } = record
  return {
    ...same,
    reach: reach === undefined ? null : JSON.stringify(reach),
    datasets: JSON.stringify(datasets),
    environments: JSON.stringify(environments),
    rules: JSON.stringify(rules),
    mapping: mapping ? JSON.stringify(mapping) : null,
    encrypted_secret: encryptedSecret,
    created_at: createdAt,
  }
}
