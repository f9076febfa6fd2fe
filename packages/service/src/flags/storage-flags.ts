/**
 * The flags that say where the records and the events are, for the service and the subcommands that read or fill the same places. And
 * opening the records for a subcommand beside a running service.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hideLogin } from '@deployment-annotations/contract/address'
import type { Records } from '@deployment-annotations/records/database/records'
import { hasRecords, openRecords } from '@deployment-annotations/records/open-records'
import { shownUrl } from '@deployment-annotations/records/postgres/postgres-errors'
import { type Command, Option } from 'commander'

export interface RecordsFlags {
  data: string
  /** The URL of a PostgreSQL database; without it the records are in the data directory. */
  postgres?: URL
}

/** @returns a new option, because an option belongs to its command */
export function createPostgresOption(): Option {
  return new Option(
    '--postgres <url>',
    'keep the records in this PostgreSQL database, postgres://user:password@host:5432/database',
  ).argParser(parsePostgresUrl)
}

/** @throws Error without the text, which may have a password: the parser's own errors repeat what was given */
function parsePostgresUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') return url
  throw new Error(
    '--postgres, or ANNOTATION_SERVICE_POSTGRES, must be a URL of PostgreSQL: postgres://user:password@host:5432/database',
  )
}

/** Adds the options that a subcommand needs to find the records of its service. */
export function withRecordsFlags(command: Command): Command {
  return command
    .option('--data <directory>', 'data directory of the service (default: ".data")')
    .addOption(createPostgresOption())
}

/** Opens the records for one task; makes them, and the data directory, if there are none. */
export async function useRecords<T>({ data, postgres }: RecordsFlags, task: (records: Records) => Promise<T>): Promise<T> {
  if (!postgres) mkdirSync(data, { recursive: true, mode: 0o700 })
  const records = await openRecords(data, postgres)
  try {
    return await task(records)
  } finally {
    await records.close()
  }
}

/** As `useRecords`, and makes nothing. @returns `undefined` where no service has been: there are no records */
export async function useMadeRecords<T>(place: RecordsFlags, task: (records: Records) => Promise<T>): Promise<T | undefined> {
  return (await hasRecords(place.data, place.postgres)) ? useRecords(place, task) : undefined
}

/** @returns where the records are, for messages */
export function describePlace({ data, postgres }: RecordsFlags): string {
  return postgres ? shownUrl(postgres) : resolve(data)
}

export interface ClickHouseFlags {
  /** The addresses of one ClickHouse database; without them the events are in the data directory. */
  clickhouse?: URL[]
  clickhouseCluster?: string
}

/** @returns new options, because an option belongs to its command */
export function createClickHouseOptions(): [clickhouse: Option, cluster: Option] {
  return [
    new Option(
      '--clickhouse <url>',
      'keep the events on this ClickHouse server, http://user:password@host:8123/database; several addresses of the same data are separated by commas, and the first that works is used',
    ).argParser(parseServerUrls),
    new Option('--clickhouse-cluster <name>', 'replicate and shard the tables of events over this cluster of the server'),
  ]
}

/** Where all data is. */
export interface PlaceFlags extends RecordsFlags, ClickHouseFlags {}

/** Adds the options that a subcommand needs to find the records and the events of its service. */
export function withPlaceFlags(command: Command): Command {
  const withRecords = withRecordsFlags(command)
  for (const option of createClickHouseOptions()) withRecords.addOption(option)
  return withRecords
}

/** @returns where the events are */
export function placeOfEvents({ data, clickhouse, clickhouseCluster }: PlaceFlags) {
  return clickhouse ? { servers: clickhouse, cluster: clickhouseCluster } : { directory: join(data, 'engine') }
}

/** A comma may also be part of a URL; one that separates two URLs is followed by a scheme. */
function parseServerUrls(text: string, before: URL[] = []): URL[] {
  const urls = text.split(/,\s*(?=https?:)/).map((one) => (URL.canParse(one) ? new URL(one) : undefined))
  const usable = urls.filter((url) => url?.protocol === 'http:' || url?.protocol === 'https:') as URL[]
  if (usable.length < urls.length) {
    // An InvalidArgumentError would be shown with the whole value, passwords included.
    const shown = JSON.stringify(hideLogin(text))
    throw new Error(`--clickhouse must be an http or https URL, or several with commas between them; ${shown} is not`)
  }
  return [...before, ...usable]
}
