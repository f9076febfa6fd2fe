/**
 * Opens the records where they are: in a file of the data directory, or in PostgreSQL.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Records } from './database/records.ts'
import { openSqliteRecords } from './sqlite/sqlite-records.ts'

/** @param dataDir an existing directory, which has the records unless a server is given */
export async function openRecords(dataDir: string, server?: URL): Promise<Records> {
  if (!server) return openSqliteRecords(recordsFile(dataDir))
  // The driver is loaded only here, because most services do not need it.
  const { openPostgresRecords } = await import('./postgres/postgres-records.ts')
  return openPostgresRecords(server)
}

/** @returns whether records are there; they are not made to find that out. An empty file has none */
export async function hasRecords(dataDir: string, server?: URL): Promise<boolean> {
  if (!server) return (statSync(recordsFile(dataDir), { throwIfNoEntry: false })?.size ?? 0) > 0
  const { hasPostgresRecords } = await import('./postgres/postgres-records.ts')
  return hasPostgresRecords(server)
}

export function recordsFile(dataDir: string): string {
  return join(dataDir, 'records.db')
}
