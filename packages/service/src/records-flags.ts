/**
 * The flags that say where the records are, and opening them there for a subcommand beside a running service.
 * Deliberately not here: what is in the records.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { openRecords, recordsFile } from '@deployment-annotations/records/open-records'
import { shownUrl } from '@deployment-annotations/records/postgres-errors'
import type { Records } from '@deployment-annotations/records/records'
import { type Command, Option } from 'commander'

export interface RecordsFlags {
  data: string
  /** Of a PostgreSQL database; otherwise the records are in the data directory. */
  records?: URL
}

/** @returns a new one, because an option belongs to its command */
export function createRecordsOption(): Option {
  return new Option(
    '--records <url>',
    'keep the records in this PostgreSQL database, postgres://user:password@host:5432/database',
  ).argParser(parseRecordsUrl)
}

/** @throws Error without the text, which may have a password: the parser's own errors repeat what was given */
function parseRecordsUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') return url
  throw new Error(
    '--records, or ANNOTATION_SERVICE_RECORDS, must be a URL of PostgreSQL: postgres://user:password@host:5432/database',
  )
}

/** Adds what a subcommand needs to find the records of its service. */
export function withRecordsFlags(command: Command): Command {
  return command.option('--data <directory>', 'data directory of the service (default: ".data")').addOption(createRecordsOption())
}

/** Whether there may be records: none are made to find that they are empty. */
export function hasRecords({ data, records: server }: RecordsFlags): boolean {
  return server !== undefined || existsSync(recordsFile(data))
}

/** Opens the records for one task; makes them, and the data directory, if there are none. */
export async function useRecords<T>({ data, records: server }: RecordsFlags, task: (records: Records) => Promise<T>): Promise<T> {
  if (!server) mkdirSync(data, { recursive: true, mode: 0o700 })
  const records = await openRecords(data, server)
  try {
    return await task(records)
  } finally {
    await records.close()
  }
}

/** For messages. */
export function describePlace({ data, records: server }: RecordsFlags): string {
  return server ? shownUrl(server) : data
}
