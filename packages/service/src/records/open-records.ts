/**
 * Opens the records where they are: in a file of the data directory, or in PostgreSQL.
 */
import { join } from 'node:path'
import { openPostgresRecords } from './postgres-records.ts'
import type { Records } from './records.ts'
import { openSqliteRecords } from './sqlite-records.ts'

/** @param dataDir a directory that exists; the records are there unless a server is given */
export function openRecords(dataDir: string, server?: URL): Promise<Records> {
  return server ? openPostgresRecords(server) : openSqliteRecords(recordsFile(dataDir))
}

export function recordsFile(dataDir: string): string {
  return join(dataDir, 'records.db')
}
