/**
 * Limits how much disk the events of one dataset, and of all of them, may take up. Sizes are measured every few seconds and not for
 * each request, so a dataset may exceed its limit by the events that arrive in between. Acknowledged events are never removed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Dataset } from './dataset.ts'

export interface SizeLimits {
  /** Bytes on disk; unlimited if absent. */
  datasetBytesMax?: number | undefined
  allBytesMax?: number | undefined
}

interface SizeWatchParts {
  limits: SizeLimits
  /** @returns bytes on disk by the table of a dataset */
  measure: () => Promise<ReadonlyMap<string, number>>
  datasets: { list(): readonly Pick<Dataset, 'name' | 'table'>[] }
}

const LOOK_MS = 5_000
/** Operators are warned from this share of the limit on. */
const WARN_SHARE = 0.9
/** Somebody has to free space first, so a retry is not worth it sooner. */
const RETRY_AFTER_S = 60
const MIB = 1_048_576

/** The use of one dataset, or of all of them if it has no name, that is near or above its limit. */
interface LimitUse {
  dataset: string | undefined
  bytes: number
  bytesMax: number
}

export class SizeWatch {
  readonly #parts: SizeWatchParts
  readonly limits: SizeLimits
  #sizes: ReadonlyMap<string, number> = new Map()
  #allBytes = 0
  /** The limits that were warned of, so that each is logged once when it comes near. */
  #warned = new Set<string | undefined>()

  constructor(parts: SizeWatchParts) {
    this.#parts = parts
    this.limits = parts.limits
  }

  get hasLimits(): boolean {
    return this.limits.datasetBytesMax !== undefined || this.limits.allBytesMax !== undefined
  }

  /** @returns bytes on disk now by the name of the dataset, without staging tables */
  async all(): Promise<Map<string, number>> {
    await this.refresh()
    return new Map(this.#parts.datasets.list().map(({ name, table }) => [name, this.#sizes.get(table) ?? 0]))
  }

  /** Measures the sizes now. */
  async refresh(): Promise<void> {
    this.#sizes = await this.#parts.measure()
    this.#allBytes = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Measures at intervals until the signal aborts, and warns in the log. */
  async run(log: Log, signal: AbortSignal): Promise<void> {
    while (this.hasLimits && !signal.aborted) {
      // If the sizes cannot be measured, the last ones stay.
      await this.refresh().catch((error: unknown) => log.error({ event: 'error', task: 'sizes', cause: describeError(error) }))
      this.#warn(log)
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Call this before reading events. @param dataset takes up nothing if it is new. @throws ServiceError `storage_full` */
  requireRoom({ name, table }: Pick<Dataset, 'name' | 'table'>): void {
    const { datasetBytesMax = Infinity, allBytesMax = Infinity } = this.limits
    const bytes = this.#sizes.get(table) ?? 0
    if (bytes >= datasetBytesMax) throw full(`the dataset ${quoted(name)} takes`, bytes, datasetBytesMax, '--dataset-size-max')
    if (this.#allBytes >= allBytesMax) throw full('all datasets together take', this.#allBytes, allBytesMax, '--size-max')
  }

  /** Judges the limits for the health check, which names no dataset. @returns a problem, if there is one */
  judge(): { status: 'degraded'; message: string } | undefined {
    const uses = this.#uses()
    const full = uses.filter(({ bytes, bytesMax }) => bytes >= bytesMax)
    const some = full.length > 0 ? full : uses
    if (some.length === 0) return undefined
    const isAll = some.some(({ dataset }) => dataset === undefined)
    const who = isAll ? 'all datasets together' : some.length === 1 ? '1 dataset' : `${some.length} datasets`
    const [has, come, its, take] = who === '1 dataset' ? ['has', 'comes', 'its', 'takes'] : ['have', 'come', 'their', 'take']
    const what = full.length > 0 ? `${has} used up ${its} limit and ${take} no more events` : `${come} near ${its} limit`
    return { status: 'degraded', message: `${who} ${what}` }
  }

  #warn(log: Log): void {
    const uses = this.#uses()
    for (const { dataset, bytes, bytesMax } of uses) {
      if (this.#warned.has(dataset)) continue
      const message = `${dataset === undefined ? 'all datasets together' : 'this dataset'} took up ${mib(bytes)} of ${mib(bytesMax)} on disk; at the limit events are refused`
      log.warn({ event: 'size', ...(dataset !== undefined && { dataset }), bytes, bytesMax, message })
    }
    this.#warned = new Set(uses.map(({ dataset }) => dataset))
  }

  #uses(): LimitUse[] {
    const { datasetBytesMax = Infinity, allBytesMax = Infinity } = this.limits
    const each = this.#parts.datasets.list().map(({ name, table }) => ({
      dataset: name,
      bytes: this.#sizes.get(table) ?? 0,
      bytesMax: datasetBytesMax,
    }))
    const uses: LimitUse[] = [...each, { dataset: undefined, bytes: this.#allBytes, bytesMax: allBytesMax }]
    return uses.filter(({ bytes, bytesMax }) => bytes >= bytesMax * WARN_SHARE)
  }
}

function full(what: string, bytes: number, bytesMax: number, flag: string): ServiceError {
  return new ServiceError(
    'storage_full',
    `${what} up ${mib(bytes)} on disk, and may take up ${mib(bytesMax)} (${flag}); nothing was stored. Trim it, give it a shorter retention, or raise the limit`,
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  )
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1).replace(/\.0$/, '')} MiB`
}
