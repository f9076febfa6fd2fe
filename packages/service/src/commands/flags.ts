/**
 * The flags of `annotation-service`: names, meanings, defaults, environment variables. `--help` prints them, and the table in
 * `docs/service.md` is generated from them. Deliberately not here: what they do.
 */
import { READ_LIMITS } from '@deployment-annotations/event-store/reading/reader'
import { FIELDS_MAX } from '@deployment-annotations/event-store/scan/limits'
import { Command, InvalidArgumentError, Option } from 'commander'
import { CEILINGS, nameOf } from '../flags/ceilings.ts'
import { createNotificationOptions, type NotificationFlags } from '../flags/notification-flags.ts'
import { type ClickHouseFlags, createClickHouseOptions, createPostgresOption, type RecordsFlags } from '../flags/storage-flags.ts'
import { ROWS_MAX } from '../query/rows-max.ts'
import { VERSION } from '../version.ts'

export interface ServeOptions extends RecordsFlags, ClickHouseFlags, NotificationFlags {
  host: string
  port: number
  token?: string
  allowedHosts?: string[]
  corsOrigins?: string[]
  strictDatasets: boolean
  supervise: boolean
  drainSeconds: number
  cacheMs: number
  trustedProxies?: string
  requestsPerMinuteMax?: number
  releaseTypes: string[]
  versionFields: string[]
  metricSources?: string
  fieldsMax: number
  datasetSizeMax?: number
  sizeMax?: number
  monitorsMax: number
  notifiersMax: number
  savedViewsMax: number
  indexes: 'auto' | 'off'
  queryRowsMax: number
  querySecondsMax: number
  /** MiB; by default {@link memoryShare}, and with a ClickHouse server {@link READ_LIMITS}. */
  queryMemoryMax?: number
}

export const MIB = 1_048_576
/**
 * The default limit of one token if other machines can reach the service: far more than is sent on purpose, and less than a loop by
 * mistake sends.
 */
export const REQUESTS_PER_MINUTE_MAX = 60_000

const [clickhouse, cluster] = createClickHouseOptions()

/** @returns a flag that counts something */
function countOption(flags: string, meaning: string, preset?: number): Option {
  return new Option(flags, meaning).default(preset).argParser(numberWithin(0, 999_999))
}

/** Where OpenTelemetry and most loggers put the version of what sends events; the first of them that an event has counts. */
const VERSION_FIELDS = ['service.version', 'version', 'release', 'commit']

/**
 * Environment variables are for secrets, which `ps` would show as flags; for the place of the data, so that the subcommands find it too;
 * and for settings that differ between installations while the command line is that of a unit or an image. `…_HOST` and `…_PORT` are
 * not read, because Kubernetes sets both to something else beside a service named `annotation`.
 */
const OPTIONS = [
  new Option('--host <address>', 'address to listen on').default('127.0.0.1'),
  new Option('--port <number>', 'port to listen on; 0 takes any free one').default(8787).argParser(numberWithin(0, 65_535)),
  new Option(
    '--allowed-hosts <names>',
    'names, separated by commas, that requests may ask for in their Host header; without it a service on loopback allows localhost, others allow any',
  )
    .env('ANNOTATION_SERVICE_ALLOWED_HOSTS')
    .argParser((text) => parseNames(text, isHost, 'annotations.example.com')),
  new Option(
    '--cors-origins <origins>',
    'origins of pages, separated by commas, whose scripts may send events and annotations, https://app.example.com, or * for any; without it none',
  )
    .env('ANNOTATION_SERVICE_CORS_ORIGINS')
    .argParser((text) => parseNames(text, isOrigin, 'https://app.example.com')),
  new Option(
    '--trusted-proxies <addresses>',
    'addresses and networks of proxies, separated by commas, whose X-Forwarded-For header is trusted',
  ).env('ANNOTATION_SERVICE_TRUSTED_PROXIES'),
  new Option('--data <directory>', 'data directory; if it does not exist, it is created for its owner only')
    .default('.data')
    .env('ANNOTATION_SERVICE_DATA'),
  new Option('--token <token>', 'a personal token to accept in this run, never stored').env('ANNOTATION_SERVICE_TOKEN'),
  createPostgresOption().env('ANNOTATION_SERVICE_POSTGRES'),
  clickhouse.env('ANNOTATION_SERVICE_CLICKHOUSE'),
  cluster,
  new Option('--strict-datasets', 'refuse events for datasets that have not been created').default(false),
  new Option(
    '--release-types <words>',
    'annotations whose type has one of these words, separated by commas, are releases and get a verdict; an empty text: none do',
  )
    .env('ANNOTATION_SERVICE_RELEASE_TYPES')
    .default(['deploy', 'release'], 'deploy,release')
    .argParser(parseWords),
  new Option(
    '--version-fields <names>',
    'fields of events, separated by commas, whose values are versions: a new one is a release; an empty text detects none',
  )
    .env('ANNOTATION_SERVICE_VERSION_FIELDS')
    .default(VERSION_FIELDS, VERSION_FIELDS.join(','))
    .argParser(parseWords),
  new Option(
    '--metric-sources <address-or-file>',
    'a Prometheus, as https://prometheus.example.com, or a JSON file of Prometheus, Loki and ClickHouse servers, whose series are compared besides events',
  ).env('ANNOTATION_SERVICE_METRIC_SOURCES'),
  ...createNotificationOptions(),
  countOption(
    '--requests-per-minute-max <number>',
    `requests of one token in a minute, 0 for any number; without it any number on loopback, otherwise ${REQUESTS_PER_MINUTE_MAX}`,
  ),
  new Option('--supervise', 'start the service again when its process ends by a fault').default(false),
  countOption(
    '--drain-seconds <number>',
    'how long the service still works after SIGTERM, with /readyz at 503, so that load balancers send requests elsewhere',
    0,
  ).env('ANNOTATION_SERVICE_DRAIN_SECONDS'),
  countOption(
    '--cache-ms <number>',
    'for how long the service may use cached tokens and datasets for requests that read or send events; changes made through another service become visible after at most this time',
    0,
  ).env('ANNOTATION_SERVICE_CACHE_MS'),
  countOption('--fields-max <number>', 'distinct fields that a dataset may have', FIELDS_MAX),
  new Option(
    '--dataset-size-max <MiB>',
    'disk space that the events of one dataset may use; beyond it the dataset takes no events. Without this flag there is no limit',
  ).argParser(numberWithin(1, 999_999_999, ' of MiB')),
  new Option(
    '--size-max <MiB>',
    'disk space that the events of all datasets together may use; without it there is no limit',
  ).argParser(numberWithin(1, 999_999_999, ' of MiB')),
  ...Object.entries(CEILINGS).map(([what, preset]) =>
    countOption(`--${nameOf(what, '-')}-max <number>`, `${nameOf(what, ' ')} that there may be`, preset),
  ),
  new Option('--indexes <auto|off>', 'whether fields with usual names, or named by datasets, are indexed; off removes all')
    .choices(['auto', 'off'])
    .default('auto'),
  countOption('--query-rows-max <number>', 'rows that one answer may have', ROWS_MAX),
  countOption('--query-seconds-max <number>', 'how long one query may take', READ_LIMITS.msMax / 1_000),
  countOption(
    '--query-memory-max <MiB>',
    `memory that one query may use; by default half of the memory of the machine or its container, divided by the queries that may run at a time, and ${READ_LIMITS.memoryBytesMax / MIB} with --clickhouse`,
  ),
]

/** @returns the command with its flags and without an action */
export function createServeCommand(): Command {
  const command = new Command('annotation-service')
    .description('Keeps annotations and events and serves them over HTTP.')
    .version(VERSION, '--version')
    .enablePositionalOptions()
  for (const option of OPTIONS) {
    // An empty variable counts as unset.
    if (option.envVar !== undefined && process.env[option.envVar] === '') delete process.env[option.envVar]
    command.addOption(option)
  }
  return command
}

const isHost = (name: string) => /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(name)
const isOrigin = (name: string) => name === '*' || (URL.canParse(name) && new URL(name).origin === name)

function parseNames(text: string, isOne: (name: string) => boolean, example: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !isOne(name))
  if (wrong === undefined) return names
  throw new InvalidArgumentError(`${JSON.stringify(wrong)} is not one such as ${example}.`)
}

function parseWords(text: string): string[] {
  const words = text.split(',').map((word) => word.trim())
  return words.filter((word) => word !== '')
}

/** @param unit what it is a number of */
function numberWithin(least: number, most: number, unit = ''): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a number${unit} from ${least} to ${most}.`)
  }
}
