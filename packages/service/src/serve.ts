/**
 * Starts and ends the service: the records, the store, the server, the line that says where it listens.
 * Deliberately not here: the flags (commands/flags.ts), and what the server answers (server.ts).
 */
import { existsSync, mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kindOfField } from '@deployment-annotations/compare/usual-names'
import { releaseReserve } from '@deployment-annotations/event-store/disk/free-space'
import { memoryShare } from '@deployment-annotations/event-store/engine/engine-memory'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { openStore } from '@deployment-annotations/event-store/open-store'
import { READ_LIMITS } from '@deployment-annotations/event-store/reading/reader'
import { RecordCaches } from '@deployment-annotations/records/database/record-caches'
import type { Records } from '@deployment-annotations/records/database/records'
import { ensureSetting, readSetting } from '@deployment-annotations/records/database/settings-records'
import { hasRecords, openRecords, recordsFile } from '@deployment-annotations/records/open-records'
import { insertFirstToken, type TokenRecord } from '@deployment-annotations/records/tokens/token-records'
import { describeError, type Log, openLog } from '@deployment-annotations/runtime/log'
import { closeOnSignal } from '@deployment-annotations/runtime/process/close-on-signal'
import { answerSupervisor } from '@deployment-annotations/runtime/process/supervise'
import type { FastifyInstance } from 'fastify'
import { IntegrationRegistry } from './automations/integrations/registry.ts'
import { readMetricSources } from './automations/releases/metric-sources.ts'
import { MIB, REQUESTS_PER_MINUTE_MAX, type ServeOptions } from './commands/flags.ts'
import { renameFormerKey } from './encryption/encryption.ts'
import { readNotifications } from './flags/notification-flags.ts'
import { placeOfEvents } from './flags/storage-flags.ts'
import { describeRequests } from './health/integrity.ts'
import { notifyEnding, notifyReady } from './health/notify.ts'
import { checkOpenFilesMax, connectionsMax, readOpenFilesMax } from './health/open-files.ts'
import { limitConnections } from './http/connections.ts'
import { type HttpListener, listen, urlOf } from './http/listen.ts'
import { isLocal } from './http/request-rules.ts'
import { buildServer } from './server.ts'
import { TokenRegistry } from './tokens/registry.ts'
import { acceptToken, makeToken } from './tokens/token.ts'
import { VERSION } from './version.ts'

/** Starts the service. Resolves when it accepts requests; it then runs until a signal ends it. */
export async function serve(options: ServeOptions): Promise<void> {
  const filesWarning = checkOpenFilesMax(readOpenFilesMax())
  const given = options.token === undefined ? undefined : acceptToken(options.token)
  mkdirSync(options.data, { recursive: true, mode: 0o700 })
  releaseReserve(options.data)
  await requireRecords(options)
  const records = await openRecords(options.data, options.postgres)
  try {
    await serveRecords(records, options, { given, filesWarning })
  } catch (error) {
    await records.close()
    throw error
  }
}

/** @throws Error if there are events, and the file of their records is gone */
async function requireRecords({ data, postgres }: ServeOptions): Promise<void> {
  const engine = join(data, 'engine')
  if (postgres || !existsSync(engine) || (await hasRecords(data))) return
  const problem = `the file of the records ${recordsFile(data)} is missing or empty, and there are events in ${engine}`
  throw new Error(`${problem}: restore it from a backup, or run annotation-service fsck --rebuild-catalog`)
}

interface Given {
  /** The token of this run. */
  given: TokenRecord | undefined
  /** A warning about how many files this process may open. */
  filesWarning: string | undefined
}

async function serveRecords(records: Records, options: ServeOptions, { given, filesWarning }: Given): Promise<void> {
  const log = openLog()
  const notifications = readNotifications(options)
  const metricSources = options.metricSources === undefined ? [] : readMetricSources(options.metricSources)
  renameFormerKey(options.data)
  // Created first, because it refuses an encryption key that cannot be used.
  const integrations = new IntegrationRegistry(records, { dataDir: options.data, log })
  const events = await open(options, records)
  const tokens = new TokenRegistry(records, given && (await withFirstStart(records, given)))
  const nameUnknown = namingUnknown(events, log)
  const onReplaced = () => {
    log.warn({ event: 'records-replaced', message: 'the records are others than before; everything was read again' })
    void events.strays.find().then(nameUnknown, nameUnknown)
  }
  const caches = new RecordCaches(records, [tokens, integrations, events.datasets], {
    onReplaced,
    freshMs: options.cacheMs,
  })
  const draining = new AbortController()
  let app: FastifyInstance | undefined
  try {
    await caches.refresh()
    if (filesWarning) log.warn({ event: 'warning', message: filesWarning })
    logDamage(log, events)
    if (events.tables.isShared) await warnWhileAway(log, events)
    logRecordDamage(log, records, options)
    nameUnknown()
    app = await buildServer({
      ...options,
      events,
      records,
      caches,
      tokens,
      integrations,
      log,
      allowedHosts: options.allowedHosts ?? (isLocal(options.host) ? [] : undefined),
      requestsPerMinuteMax: options.requestsPerMinuteMax ?? (isLocal(options.host) ? 0 : REQUESTS_PER_MINUTE_MAX),
      metricSources,
      notifications,
      ceilings: { monitors: options.monitorsMax, notifiers: options.notifiersMax, saved_views: options.savedViewsMax },
      dataDir: options.data,
      dashboardDir: join(import.meta.dirname, '../public'),
      draining: draining.signal,
    })
    limitConnections(app.server, connectionsMax(readOpenFilesMax()), log)
    await start(app, options, { events, records, tokens, log, draining })
  } catch (error) {
    await app?.close()
    await events.close()
    throw error
  }
}

/** @returns the token of this run with the time when it was first used, so that services which share their records answer the same time */
async function withFirstStart(records: Records, given: TokenRecord): Promise<TokenRecord> {
  const name = 'operator-token-since'
  const known = await readSetting(records.read, name)
  return { ...given, createdAt: known ?? (await records.transaction((db) => ensureSetting(db, name, given.createdAt))) }
}

interface Opened {
  events: EventStore
  records: Records
  tokens: TokenRegistry
  log: Log
  /** Aborted when the service ends, before it takes no more requests. */
  draining: AbortController
}

async function start(app: FastifyInstance, options: ServeOptions, opened: Opened): Promise<void> {
  const { events, records, tokens, log, draining } = opened
  const listening = await listen(app, options)
  closeOnSignal(async (signal) => {
    draining.abort()
    notifyEnding()
    // A person who presses Ctrl-C has no load balancer.
    if (signal === 'SIGTERM') await drain(options.drainSeconds, log)
    await close({ app, listening, events, records })
  }, log)
  if (tokens.isEmpty()) await makeFirstToken(records)
  console.log(`annotation service ${VERSION} ready at ${urlOf(app)}`)
  notifyReady()
  answerSupervisor((app.server.address() as AddressInfo).port)
}

function open(options: ServeOptions, records: Records): Promise<EventStore> {
  const { fieldsMax, indexes, datasetSizeMax, sizeMax } = options
  const readLimits = {
    ...READ_LIMITS,
    msMax: options.querySecondsMax * 1_000,
    memoryBytesMax: queryMemoryBytes(options),
  }
  const bytesOf = (mib: number | undefined) => (mib === undefined ? undefined : mib * MIB)

  return openStore(placeOfEvents(options), records, {
    fieldsMax,
    kindOfField: indexes === 'auto' ? kindOfField : undefined,
    readLimits,
    sizeLimits: { datasetBytesMax: bytesOf(datasetSizeMax), allBytesMax: bytesOf(sizeMax) },
  })
}

function queryMemoryBytes({ queryMemoryMax, clickhouse }: ServeOptions): number {
  if (queryMemoryMax !== undefined) return queryMemoryMax * MIB
  return clickhouse ? READ_LIMITS.memoryBytesMax : memoryShare()
}

function logRecordDamage(log: Log, { damage }: Records, { data }: ServeOptions): void {
  for (const problem of damage)
    log.warn({ event: 'damaged', message: `the records are damaged: ${problem}`, path: recordsFile(data) })
}

/** Logs each table that was damaged when the store opened. One that was only half made, and never acknowledged, is no warning. */
function logDamage(log: Log, { tables, datasets, damaged }: EventStore): void {
  const { repairs, log: writeAhead } = tables
  for (const { path, offset } of writeAhead?.torn ?? [])
    log.info({ event: 'log-tail', message: 'entries that a crash left half written were passed over', path, offset })
  for (const { path, offset, reason, ...losses } of writeAhead?.damages ?? []) {
    const message = `${reason}; ${describeRequests(losses)} may be missing`
    log.warn({ event: 'damaged', message, path, ...(offset !== undefined && { offset }) })
  }
  const names = new Map(datasets.list().map(({ name, table }) => [table, name]))
  for (const { table, did, path, reason } of repairs) {
    const dataset = names.get(table ?? '')
    const level = did === 'restored' || dataset !== undefined ? 'warn' : 'info'
    log[level]({ event: 'repair', table, ...(dataset !== undefined && { dataset }), did, reason, path })
  }
  for (const { table, dataset, path, isMissing, rows } of damaged.list()) {
    const message = isMissing
      ? 'the events of this dataset are missing'
      : 'files of this dataset are broken or missing, and events with them'
    log.warn({ event: 'damaged', table, dataset, message, path, ...(rows > 0 && { rows }) })
  }
}

/** @returns what names each table of events that no record names, once */
function namingUnknown({ strays }: EventStore, log: Log): () => void {
  const named = new Set<string>()
  return () => {
    for (const table of strays.unknown) {
      if (named.has(table)) continue
      named.add(table)
      const message = 'the records know nothing of this table of events, and nobody asked to drop it; it is kept'
      log.warn({ event: 'unknown-table', table, message })
    }
  }
}

/** Waits until load balancers have noticed that the service is not ready any more, and send requests elsewhere. */
async function drain(seconds: number, log: Log): Promise<void> {
  if (seconds === 0) return
  log.info({ event: 'draining', seconds })
  await sleep(seconds * 1_000)
}

/** The service starts while the servers of events are away, for what needs no events. */
async function warnWhileAway(log: Log, { tables }: EventStore): Promise<void> {
  await tables.check().catch((error: unknown) => log.warn({ event: 'events-away', cause: describeError(error) }))
}

/** How many milliseconds requests under way get to end after a signal. */
const CLOSE_MS_MAX = 10_000

interface Running extends Pick<Opened, 'events' | 'records'> {
  app: FastifyInstance
  listening: HttpListener
}

async function close({ app, listening, events, records }: Running): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS_MAX)
  await Promise.all([listening.close(), app.close()])
  clearTimeout(cut)
  await events.close()
  await records.close()
}

async function makeFirstToken(records: Records): Promise<void> {
  const { record, secret } = makeToken({ name: 'first', kind: 'personal' })
  if (!(await records.transaction((db) => insertFirstToken(db, record)))) return
  // Not on standard output, where programs expect one line.
  console.error(`created a personal token, which may do everything; it is shown only this once: ${secret}`)
}
