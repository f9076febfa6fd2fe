/**
 * Starts and ends the service: the store, its tokens, the server, the line that says where it listens. Flags are read elsewhere,
 * and what the server answers is `server.ts`.
 */
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openIntegrationRegistry } from './automations/integrations/registry.ts'
import { closeOnSignal } from './close-on-signal.ts'
import { checkOpenFiles } from './events/open-files.ts'
import { MIB, type ServeOptions } from './flags.ts'
import { openLog } from './log-output.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { buildServer } from './server.ts'
import { DirectoryInUseError } from './store/embedded-engine.ts'
import { READ_LIMITS } from './store/reading/reader.ts'
import type { Store } from './store/store.ts'
import { openTokenRegistry } from './tokens/registry.ts'
import { acceptToken, makeToken } from './tokens/token.ts'
import { tokenFilePath, updateTokens } from './tokens/token-file.ts'

/** Resolves when the service accepts requests; it then runs until a signal ends it. */
export async function serve(options: ServeOptions): Promise<void> {
  const given = options.token === undefined ? undefined : acceptToken(options.token)
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
    // If two services ran them on the same tables, everything would be marked twice.
    runsMonitors: !options.clickhouse || options.node === 0,
    queryRowsMax: options.queryRowsMax,
    strictDatasets: options.strictDatasets,
    dashboardDir: join(import.meta.dirname, '../public'),
  })
  try {
    await listen(app, options)
    closeOnSignal(() => close(app, store))
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
    return await openStore(clickhouse ? { servers: clickhouse } : { directory: join(data, 'engine') }, {
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
  EACCES: 'this user may not open the port',
  EADDRNOTAVAIL: 'the address does not belong to this machine; choose another with --host',
  ENOTFOUND: 'the host is unknown; choose another with --host',
}

/** Requests under way get this long to end after a signal. */
const CLOSE_MS_MAX = 10_000

async function close(app: FastifyInstance, store: Store): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS_MAX)
  await app.close()
  clearTimeout(cut)
  await store.close()
}

async function makeFirstToken(dataDir: string): Promise<void> {
  const { record, secret } = makeToken('first', 'all')
  await updateTokens(tokenFilePath(dataDir), (tokens) => [...tokens, record])
  // Not on stdout, whose one line others read.
  console.error(`created a personal token, which may do everything; it is shown only this once: ${secret}`)
}

function urlOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo
  return `http://${bracketed(address)}:${port}`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
