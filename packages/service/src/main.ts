/**
 * `npm run service`: the annotation service in the foreground, and its `token` and `integration` subcommands. Flags, signals
 * and wiring only.
 */
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { FastifyInstance } from 'fastify'
import { createIntegrationCommand } from './automations/integrations/commands.ts'
import { openIntegrationRegistry } from './automations/integrations/registry.ts'
import { FIELDS_MAX } from './events/limits.ts'
import { checkOpenFiles } from './events/open-files.ts'
import { openLog } from './log-output.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { ROWS_MAX } from './query/queries.ts'
import { buildServer } from './server.ts'
import { DirectoryInUseError } from './store/engine.ts'
import { READ_LIMITS } from './store/reading/reader.ts'
import type { Store } from './store/store.ts'
import { createTokenCommand } from './tokens/commands.ts'
import { openTokenRegistry } from './tokens/registry.ts'
import { acceptToken, makeToken } from './tokens/token.ts'
import { tokenFilePath, updateTokens } from './tokens/token-file.ts'

interface ServeOptions {
  host: string
  port: number
  data: string
  token?: string
  clickhouse?: URL
  clickhouseCluster?: string
  node: number
  strictDatasets: boolean
  fieldsMax: number
  queryRowsMax: number
  querySecondsMax: number
  queryMemoryMax: number
}

const MIB = 1_048_576

/**
 * The embedded engine holds a thread of Node's pool for every statement under way; with the four there are by default, four
 * slow queries would stop everything that reads a file. The pool is made when it is first used, which is later than this.
 */
process.env.UV_THREADPOOL_SIZE ??= '16'

const TOKEN_VARIABLE = 'ANNOTATION_SERVICE_TOKEN'

const program = new Command('service')
program
  .description('Stores annotations and serves them over HTTP.')
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--port <number>', 'port to listen on; 0 takes any free one', parsePort, 8787)
  .option('--data <directory>', 'data directory; made if it is not there', '.data')
  .option('--token <token>', `a personal token to accept in this run, never stored; better given as ${TOKEN_VARIABLE}`)
  .option(
    '--clickhouse <url>',
    'keep annotations on this ClickHouse server, http://user:password@host:8123/database',
    parseServerUrl,
  )
  .option('--clickhouse-cluster <name>', 'replicate and shard the tables of events over this cluster of the server')
  .option(
    '--node <number>',
    'number of this service among those that share a server, 0 to 1023; part of its row ids; 0 runs the monitors',
    parseCount,
    0,
  )
  .option('--strict-datasets', 'refuse events for datasets that were not created before', false)
  .option('--fields-max <number>', 'distinct fields that a dataset may have', parseCount, FIELDS_MAX)
  .option('--query-rows-max <number>', 'rows that one answer may have', parseCount, ROWS_MAX)
  .option('--query-seconds-max <number>', 'how long one query may take', parseCount, READ_LIMITS.msMax / 1_000)
  .option('--query-memory-max <MiB>', 'memory that one query may use', parseCount, READ_LIMITS.memoryBytesMax / MIB)
  .enablePositionalOptions()
  .action(serve)
program.addCommand(createTokenCommand(() => program.opts<ServeOptions>().data))
program.addCommand(createIntegrationCommand(() => program.opts<ServeOptions>().data))

// A log reader that went away must not take the service with it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

program.parseAsync().catch(fail)

function fail(error: unknown): void {
  console.error(`error: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function serve(options: ServeOptions): Promise<void> {
  // An empty variable is an unset one.
  const secret = options.token ?? (process.env[TOKEN_VARIABLE] || undefined)
  const given = secret === undefined ? undefined : acceptToken(secret)
  mkdirSync(options.data, { recursive: true, mode: 0o700 })
  const tokens = openTokenRegistry(options.data, given)
  const integrations = openIntegrationRegistry(options.data)
  const store = await open(options)
  const log = openLog()
  const files = checkOpenFiles()
  if (files) log.warn({ event: 'warning', message: files })
  const app = await buildServer({
    store,
    tokens,
    integrations,
    log,
    // Two services that ran them on the same tables would mark everything twice.
    runsMonitors: !options.clickhouse || options.node === 0,
    queryRowsMax: options.queryRowsMax,
    strictDatasets: options.strictDatasets,
    dashboardDir: join(import.meta.dirname, '../public'),
  })
  try {
    await listen(app, options)
    closeOnSignal(app, store)
    if (tokens.isEmpty()) await makeFirstToken(options.data)
    console.log(`annotation service ready at ${urlOf(app)}`)
  } catch (error) {
    await app.close()
    await store.close()
    throw error
  }
}

async function open(options: ServeOptions): Promise<OpenStore> {
  const { data, clickhouse, clickhouseCluster, node, fieldsMax } = options
  const readLimits = {
    ...READ_LIMITS,
    msMax: options.querySecondsMax * 1_000,
    memoryBytesMax: options.queryMemoryMax * MIB,
  }
  const cluster = clickhouseCluster === undefined ? {} : { cluster: { name: clickhouseCluster } }
  try {
    return await openStore(clickhouse ? { server: clickhouse } : { directory: join(data, 'engine') }, {
      dataDir: data,
      node,
      fieldsMax,
      readLimits,
      ...cluster,
    })
  } catch (cause) {
    if (!(cause instanceof DirectoryInUseError)) throw cause
    throw new Error(`the data directory ${data} is in use by process ${cause.pid}; stop it, or choose another with --data`, {
      cause,
    })
  }
}

async function listen(app: FastifyInstance, { host, port }: ServeOptions): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (cause) {
    const reason = LISTEN_REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? String(cause)
    throw new Error(`cannot listen on ${bracketed(host)}:${port}: ${reason}`, { cause })
  }
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; choose another with --port, or 0 for any free one',
  EACCES: 'the port may not be opened by this user',
  EADDRNOTAVAIL: 'the address is not one of this machine; choose another with --host',
  ENOTFOUND: 'the host is not known; choose another with --host',
}

async function makeFirstToken(dataDir: string): Promise<void> {
  const { record, secret } = makeToken('first', 'all')
  await updateTokens(tokenFilePath(dataDir), (tokens) => [...tokens, record])
  // Not on stdout, whose one line others read.
  console.error(`made a personal token, which may do everything; it is shown only this once: ${secret}`)
}

/** Requests under way get this long to end after a signal. */
const CLOSE_MS_MAX = 10_000
/** A second signal later than this ends the process at once; npm sends one and the same signal twice. */
const SECOND_SIGNAL_MS_MIN = 1_000
/** Leaving right after the engine was closed has been seen to crash; what is left to do needs less than this. */
const DRAIN_MS_MAX = 1_000

function closeOnSignal(app: FastifyInstance, store: Store): void {
  let closingSinceMs: number | undefined
  const close = async () => {
    if (closingSinceMs !== undefined) {
      if (performance.now() - closingSinceMs > SECOND_SIGNAL_MS_MIN) process.kill(process.pid, 'SIGKILL')
      return
    }
    closingSinceMs = performance.now()
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS_MAX)
    await app.close()
    clearTimeout(cut)
    await store.close()
    setTimeout(() => process.exit(), DRAIN_MS_MAX).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void close().catch(fail))
}

function urlOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo
  return `http://${bracketed(address)}:${port}`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
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

function parseServerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new InvalidArgumentError('It must be an http or https URL.')
  return url
}
