/**
 * Opens the records where they are: in a file of the data directory, or in PostgreSQL.
 */
import { join } from 'node:path'
import type { Records } from './records.ts'
import { openSqliteRecords } from './sqlite-records.ts'

/** @param dataDir a directory that exists; the records are there unless a server is given */
export async function openRecords(dataDir: string, server?: URL): Promise<Records> {
  if (!server) return openSqliteRecords(recordsFile(dataDir))
  // Loaded when it is asked for: most services need no driver.
  const { openPostgresRecords } = await import('./postgres-records.ts')
  return openPostgresRecords(server)
}

export function recordsFile(dataDir: string): string {
  return join(dataDir, 'records.db')
}
