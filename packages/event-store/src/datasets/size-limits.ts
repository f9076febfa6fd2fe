/**
 * Limits how much disk the events of one dataset, and of all of them, may take up. Sizes are measured every few seconds and not for
 * each request, so a dataset may exceed its limit by the events that arrive in between. Acknowledged events are never removed.
 */
import { repeat } from '@deployment-annotations/runtime/concurrency/repeat'
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

/** What one dataset takes up, or all of them together if it has no name. */
interface Use {
  dataset: string | undefined
  bytes: number
  bytesMax: number
  /** The flag that sets the limit. */
  flag: string
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
    if (!this.hasLimits) return
    const look = async () => {
      // If the sizes cannot be measured, the last ones stay.
      await this.refresh().catch((error: unknown) => log.error({ event: 'error', task: 'sizes', cause: describeError(error) }))
      this.#warn(log)
    }
    await repeat(look, LOOK_MS, signal)
  }

  /** Call this before reading events. @param dataset takes up nothing if it is new. @throws ServiceError `storage_full` */
  requireRoom(dataset: Pick<Dataset, 'name' | 'table'>): void {
    const [full] = this.#uses(1, [dataset])
    if (!full) return
    const what = full.dataset === undefined ? 'all datasets together take' : `the dataset ${quoted(full.dataset)} takes`
    throw new ServiceError(
      'storage_full',
      `${what} up ${mib(full.bytes)} on disk, and may take up ${mib(full.bytesMax)} (${full.flag}); nothing was stored. Trim it, give it a shorter retention, or raise the limit`,
      { headers: { 'retry-after': String(RETRY_AFTER_S) } },
    )
  }

  /** Judges the limits for the health check, which names no dataset. @returns a problem, if there is one */
  judge(): { status: 'degraded'; message: string } | undefined {
    const full = this.#uses(1)
    const some = full.length > 0 ? full : this.#uses(WARN_SHARE)
    if (some.length === 0) return undefined
    const isAll = some.some(({ dataset }) => dataset === undefined)
    const who = isAll ? 'all datasets together' : some.length === 1 ? '1 dataset' : `${some.length} datasets`
    const [has, come, its, take] = who === '1 dataset' ? ['has', 'comes', 'its', 'takes'] : ['have', 'come', 'their', 'take']
    const what = full.length > 0 ? `${has} used up ${its} limit and ${take} no more events` : `${come} near ${its} limit`
    return { status: 'degraded', message: `${who} ${what}` }
  }

  #warn(log: Log): void {
    const uses = this.#uses(WARN_SHARE)
    for (const { dataset, bytes, bytesMax } of uses) {
      if (this.#warned.has(dataset)) continue
      const message = `${dataset === undefined ? 'all datasets together' : 'this dataset'} took up ${mib(bytes)} of ${mib(bytesMax)} on disk; at the limit events are refused`
      log.warn({ event: 'size', ...(dataset !== undefined && { dataset }), bytes, bytesMax, message })
    }
    this.#warned = new Set(uses.map(({ dataset }) => dataset))
  }

  /** @returns these datasets, and all together, as far as they take up such a share of their limit */
  #uses(share: number, datasets = this.#parts.datasets.list()): Use[] {
    const { datasetBytesMax = Infinity, allBytesMax = Infinity } = this.limits
    const each = datasets.map(({ name: dataset, table }) => {
      return { dataset, bytes: this.#sizes.get(table) ?? 0, bytesMax: datasetBytesMax, flag: '--dataset-size-max' }
    })
    const all = { dataset: undefined, bytes: this.#allBytes, bytesMax: allBytesMax, flag: '--size-max' }
    return [...each, all].filter(({ bytes, bytesMax }) => bytes >= bytesMax * share)
  }
}

function mib(bytes: number): string {
  return `${Math.round((bytes / MIB) * 10) / 10} MiB`
}
