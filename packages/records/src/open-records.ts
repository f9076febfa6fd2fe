/**
 * Opens the records where they are: in a file of the data directory, or in PostgreSQL.
 */
import { join } from 'node:path'
import type { Records } from './records.ts'
import { openSqliteRecords } from './sqlite-records.ts'

/** @param dataDir an existing directory, which has the records unless a server is given */
export async function openRecords(dataDir: string, server?: URL): Promise<Records> {
  if (!server) return openSqliteRecords(recordsFile(dataDir))
  // The driver is loaded only here, because most services do not need it.
  const { openPostgresRecords } = await import('./postgres-records.ts')
  return openPostgresRecords(server)
}

export function recordsFile(dataDir: string): string {
  return join(dataDir, 'records.db')
}
