/**
 * How much disk events may take up: those of one dataset, and all of them. Sizes are looked at every few seconds and not with each
 * request, so a dataset may pass its limit by what it takes in meanwhile. Nothing that was acknowledged is removed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Dataset } from './dataset.ts'

export interface SizeLimits {
  /** On disk; any when absent. */
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
/** From here on operators are warned. */
const WARN_SHARE = 0.9
/** Somebody has to make room first. */
const RETRY_AFTER_S = 60
const MIB = 1_048_576

/** One dataset, or all of them where there is no name, that has nearly or wholly used up its limit. */
interface Use {
  dataset: string | undefined
  bytes: number
  bytesMax: number
}

export class SizeWatch {
  readonly #parts: SizeWatchParts
  readonly limits: SizeLimits
  #sizes: ReadonlyMap<string, number> = new Map()
  #allBytes = 0
  /** What was warned of, so that it is one line each time that a limit comes near. */
  #warned = new Set<string | undefined>()

  constructor(parts: SizeWatchParts) {
    this.#parts = parts
    this.limits = parts.limits
  }

  get hasLimits(): boolean {
    return this.limits.datasetBytesMax !== undefined || this.limits.allBytesMax !== undefined
  }

  /** @returns bytes on disk now, by the name of the dataset; those of staging tables are not among them */
  async all(): Promise<Map<string, number>> {
    await this.refresh()
    return new Map(this.#parts.datasets.list().map(({ name, table }) => [name, this.#sizes.get(table) ?? 0]))
  }

  /** Looks at the sizes now. */
  async refresh(): Promise<void> {
    this.#sizes = await this.#parts.measure()
    this.#allBytes = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Looks from time to time until the signal ends it, and warns in the log. */
  async run(log: Log, signal: AbortSignal): Promise<void> {
    while (this.hasLimits && !signal.aborted) {
      // What could not be looked at is as it was.
      await this.refresh().catch((error: unknown) => log.error({ event: 'error', task: 'sizes', cause: describeError(error) }))
      this.#warn(log)
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** To be called before events are read. @param dataset one that is new takes up nothing. @throws ServiceError `storage_full` */
  requireRoom({ name, table }: Pick<Dataset, 'name' | 'table'>): void {
    const { datasetBytesMax = Infinity, allBytesMax = Infinity } = this.limits
    const bytes = this.#sizes.get(table) ?? 0
    if (bytes >= datasetBytesMax) throw full(`the dataset ${quoted(name)} takes`, bytes, datasetBytesMax, '--dataset-size-max')
    if (this.#allBytes >= allBytesMax) throw full('all datasets together take', this.#allBytes, allBytesMax, '--size-max')
  }

  /** For health, which names nothing. @returns what is wrong */
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

  #uses(): Use[] {
    const { datasetBytesMax = Infinity, allBytesMax = Infinity } = this.limits
    const each = this.#parts.datasets.list().map(({ name, table }) => ({
      dataset: name,
      bytes: this.#sizes.get(table) ?? 0,
      bytesMax: datasetBytesMax,
    }))
    const uses: Use[] = [...each, { dataset: undefined, bytes: this.#allBytes, bytesMax: allBytesMax }]
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
