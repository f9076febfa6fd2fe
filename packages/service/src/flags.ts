/**
 * The flags of `annotation-service`: names, meanings, defaults, environment variables. `--help` prints them, and
 * `docs/service.md` has the table that is generated from here. What they do is not decided here.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { FIELDS_MAX } from './events/scan/limits.ts'
import { ROWS_MAX } from './query/rows-max.ts'
import { createRecordsOption, type RecordsFlags } from './records-flags.ts'
import { READ_LIMITS } from './store/reading/reader.ts'

export interface ServeOptions extends RecordsFlags {
  host: string
  port: number
  token?: string
  clickhouse?: URL[]
  clickhouseCluster?: string
  strictDatasets: boolean
  fieldsMax: number
  queryRowsMax: number
  querySecondsMax: number
  queryMemoryMax: number
}

export const MIB = 1_048_576

/**
 * Variables are for secrets, which `ps` shows where they are flags, and for where the data is, so that the subcommands find it
 * too. `…_HOST` and `…_PORT` are not read: Kubernetes sets both, to something else, beside a service named `annotation`.
 */
const OPTIONS = [
  new Option('--host <address>', 'address to listen on').default('127.0.0.1'),
  new Option('--port <number>', 'port to listen on; 0 takes any free one').default(8787).argParser(parsePort),
  new Option('--data <directory>', 'data directory; if it does not exist, it is created for its owner only')
    .default('.data')
    .env('ANNOTATION_SERVICE_DATA'),
  new Option('--token <token>', 'a personal token to accept in this run, never stored').env('ANNOTATION_SERVICE_TOKEN'),
  createRecordsOption().env('ANNOTATION_SERVICE_RECORDS'),
  new Option(
    '--clickhouse <url>',
    'keep the events on this ClickHouse server, http://user:password@host:8123/database; several addresses of the same data are separated by commas, and the first that works is used',
  )
    .env('ANNOTATION_SERVICE_CLICKHOUSE')
    .argParser(parseServerUrls),
  new Option('--clickhouse-cluster <name>', 'replicate and shard the tables of events over this cluster of the server'),
  new Option('--strict-datasets', 'refuse events for datasets that have not been created').default(false),
  new Option('--fields-max <number>', 'distinct fields that a dataset may have').default(FIELDS_MAX).argParser(parseCount),
  new Option('--query-rows-max <number>', 'rows that one answer may have').default(ROWS_MAX).argParser(parseCount),
  new Option('--query-seconds-max <number>', 'how long one query may take')
    .default(READ_LIMITS.msMax / 1_000)
    .argParser(parseCount),
  new Option('--query-memory-max <MiB>', 'memory that one query may use')
    .default(READ_LIMITS.memoryBytesMax / MIB)
    .argParser(parseCount),
]

/** @returns the command with its flags, without what it does */
export function createServeCommand(): Command {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
  const command = new Command('annotation-service')
    .description('Keeps annotations and events and serves them over HTTP.')
    .version(version, '--version')
    .enablePositionalOptions()
  for (const option of OPTIONS) {
    // An empty variable is an unset one.
    if (option.envVar !== undefined && process.env[option.envVar] === '') delete process.env[option.envVar]
    command.addOption(option)
  }
  return command
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return port
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 999999.')
  return Number(text)
}

/** A comma may also be in a URL; one that separates two is before a scheme. */
function parseServerUrls(text: string, before: URL[] = []): URL[] {
  const urls = text.split(/,\s*(?=https?:)/).map((one) => (URL.canParse(one) ? new URL(one) : undefined))
  const usable = urls.filter((url) => url?.protocol === 'http:' || url?.protocol === 'https:') as URL[]
  if (usable.length < urls.length) {
    // Not an InvalidArgumentError, which would be shown with the whole value, passwords too.
    const shown = JSON.stringify(text.replace(/.*@/s, '…@'))
    throw new Error(`--clickhouse must be an http or https URL, or several with commas between them; ${shown} is not`)
  }
  return [...before, ...usable]
}
