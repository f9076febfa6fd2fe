/**
 * The health of the service: checks of its parts, each of which says what is wrong; docs/operate.md says what each means and what to
 * do. Anyone may read the health, so no message has a path, an address or a name of ours in it; of names it has only those of datasets
 * whose events were found damaged when the service started.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '@deployment-annotations/contract/health'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { ShardsAwayError } from '@deployment-annotations/event-store/server/cluster-engine'
import type { Records } from '@deployment-annotations/records/database/records'
import type { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { ClockCheck } from './clock-check.ts'
import type { DataDirectory } from './data-directory.ts'
import { checkIntegrity } from './integrity.ts'
import { createOpenFilesCheck } from './open-files.ts'
import { checkWaitingRequests } from './waiting-requests.ts'

/** `degraded`: something does not work, or is about to; `failed`: no request should be sent to this service. */
interface CheckResult {
  status: 'ok' | 'degraded' | 'failed'
  message?: string
}

interface Check {
  name: string
  /** Whether requests are better sent to another service while this part has failed. */
  isNeeded: boolean
  /** Resolves with nothing where all is well. A rejection is a failure, whose cause is for the log. */
  run(): Promise<CheckResult | undefined>
}

interface CheckedParts {
  records: Records
  events: EventStore
  dataDirectory: DataDirectory
  clockCheck: ClockCheck
  /** How many milliseconds what is due for longest waits, by what it is. */
  lags: Readonly<Record<string, () => Promise<number>>>
  /** Aborted once the service ends and only answers what still comes. */
  draining: AbortSignal
  /** Where requests wait to be begun; those for the health do not. */
  turns: Readonly<Record<'requests' | 'bodies', Pick<Gate, 'waiting'>>>
}

/** A part that answers later than this, in milliseconds, is not healthy. */
const CHECK_MS_MAX = 5_000
/** How long a request waits for the checks before it gets the result of the last ones, in milliseconds, and how old that may be. */
const QUICK_MS = 50
const RECENT_MS = 2_000

export class HealthChecks {
  readonly #checks: readonly Check[]
  readonly #parts: CheckedParts
  readonly #health = new SharedResult(() => this.#judge())
  readonly #ready = new SharedResult(() => this.#judgeReady())

  constructor(parts: CheckedParts) {
    const { records, events, dataDirectory, clockCheck, lags, turns } = parts
    const { sizes, tables, datasets } = events
    const checkOpenFiles = createOpenFilesCheck()
    this.#parts = parts
    this.#checks = [
      { name: 'records', isNeeded: true, run: () => records.check().then(() => undefined) },
      // Servers of events are away for every other service as well, and annotations go on without them.
      { name: 'events', isNeeded: !tables.isShared, run: () => tables.check() },
      { name: 'integrity', isNeeded: false, run: async () => checkIntegrity(events, records) },
      { name: 'data', isNeeded: true, run: async () => dataDirectory.check() },
      { name: 'disk', isNeeded: true, run: () => dataDirectory.checkDisk() },
      ...(sizes.hasLimits ? [{ name: 'size', isNeeded: false, run: async () => sizes.judge() }] : []),
      { name: 'fields', isNeeded: false, run: async () => checkFields(datasets.list()) },
      { name: 'fileHandles', isNeeded: true, run: async () => checkOpenFiles() },
      { name: 'clock', isNeeded: false, run: async () => clockCheck.result() },
      { name: 'automations', isNeeded: false, run: () => checkLags(lags) },
      { name: 'requests', isNeeded: true, run: async () => checkWaitingRequests(Object.values(turns)) },
    ]
  }

  /**
   * Runs the checks, or returns their last results where these are recent and the checks have to wait for a busy service.
   * @throws ServiceError `unavailable` with the messages of the parts that failed
   */
  read(): Promise<Health> {
    this.#requireOpen()
    return this.#health.get()
  }

  /** Runs the checks of what this service needs to be of use. @throws as {@link read}, also once the service ends */
  ready(): Promise<{ status: 'ok' }> {
    this.#requireOpen()
    return this.#ready.get()
  }

  /** Balancers send requests to another service from then on. */
  #requireOpen(): void {
    if (this.#parts.draining.aborted) throw new ServiceError('unavailable', 'this service is about to end')
  }

  async #judgeReady(): Promise<{ status: 'ok' }> {
    requireNoneFailed(await Promise.all(this.#checks.filter(({ isNeeded }) => isNeeded).map(runCheck)))
    return { status: 'ok' }
  }

  async #judge(): Promise<Health> {
    const results = requireNoneFailed(await Promise.all(this.#checks.map(runCheck)))
    const damagedDatasets = this.#parts.events.damaged.list().map(({ dataset }) => dataset)
    const isOk = results.every(({ status }) => status === 'ok')
    return {
      status: isOk ? 'ok' : 'degraded',
      parts: results as Health['parts'],
      ...(damagedDatasets.length > 0 && { damagedDatasets }),
    }
  }
}

function checkFields(datasets: readonly Dataset[]): CheckResult | undefined {
  const crowded = datasets.filter(({ fields }) => fields.isCrowded).length
  if (crowded === 0) return undefined
  const which = crowded === 1 ? 'a dataset has' : `${crowded} datasets have`
  return { status: 'degraded', message: `${which} four fifths of its fields and more; the log names it` }
}

/** Longer than a restart or a burst takes: nobody runs them, or those who do are too few. */
const LAG_MS_MAX = 300_000

async function checkLags(lags: CheckedParts['lags']): Promise<CheckResult | undefined> {
  // That the records cannot be read is said of these.
  const read = Object.entries(lags).map(async ([what, lag]) => ({ what, ms: await lag().catch(() => 0) }))
  const late = (await Promise.all(read)).filter(({ ms }) => ms > LAG_MS_MAX)
  const message = late.map(({ what, ms }) => `${what} are ${Math.round(ms / 60_000)} minutes late`).join('; ')
  return late.length === 0 ? undefined : { status: 'degraded', message }
}

/**
 * A result that is made again for each caller, but once for all that ask meanwhile, because anyone may ask, and strangers must not keep
 * the store busy. Where making it takes long and the last one is recent, that one is given.
 */
class SharedResult<T> {
  readonly #make: () => Promise<T>
  #running: Promise<T> | undefined
  #last: { result: T; atMs: number } | undefined

  constructor(make: () => Promise<T>) {
    this.#make = make
  }

  async get(): Promise<T> {
    this.#running ??= this.#make()
      .then((result) => {
        this.#last = { result, atMs: performance.now() }
        return result
      })
      .catch((error: unknown) => {
        // What was well before is no answer any more.
        this.#last = undefined
        throw error
      })
      .finally(() => {
        this.#running = undefined
      })
    if (!this.#last || performance.now() - this.#last.atMs > RECENT_MS) return this.#running
    return Promise.race([this.#running, sleep(QUICK_MS, this.#last.result, { ref: false })])
  }
}

type Judged = Awaited<ReturnType<typeof runCheck>>

/** @throws ServiceError `unavailable` with the messages of the parts that failed */
function requireNoneFailed(results: Judged[]): Judged[] {
  const failed = results.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return results
  const message = failed.map(({ name, message }) => `${name}: ${message}`).join('; ')
  throw new ServiceError('unavailable', message, { cause: failed.find(({ cause }) => cause !== undefined)?.cause })
}

/** @returns the result, of a failure with its cause, which is for the log alone; never rejects */
async function runCheck({ name, run }: Pick<Check, 'name' | 'run'>): Promise<CheckResult & { name: string; cause?: unknown }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<CheckResult>((resolve) => {
    const message = `no answer within ${CHECK_MS_MAX / 1_000} s`
    timer = setTimeout(() => resolve({ status: 'failed', message }), CHECK_MS_MAX)
  })
  try {
    return { name, ...((await Promise.race([run(), late])) ?? { status: 'ok' }) }
  } catch (error) {
    // Anyone may know how many shards are away, but not where they are.
    const message = error instanceof ShardsAwayError ? error.message : 'it cannot be read'
    return { name, status: 'failed', message, cause: error }
  } finally {
    clearTimeout(timer)
  }
}
