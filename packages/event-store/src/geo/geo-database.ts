/**
 * The operator's geographic database of addresses. Its file is opened at start, which fails if it is not such a database, and loaded
 * into the engine in the background, unless a server has it already. Until then, queries that need it are refused as unavailable.
 * Deliberately not here: its SQL, which belongs to the store, and the format of the file, which belongs to the library.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { GeoDictionaries } from '@deployment-annotations/apl/compile'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import { Reader } from 'mmdb-lib'
import type { GeoTables } from './geo-tables.ts'
import { type GeoReader, listNetworks } from './networks.ts'

/** A change of this version makes services load the file again, because its rows have changed. */
const FORMAT = '1'
/** The rows of one insert, whose text is made in one go. */
const ROWS_AT_ONCE = 5_000
/** How many networks are read before the event loop is yielded, about 2 ms of work. */
const TURN_NETWORKS = 200
/** How long to wait before another try, or before another check while the engine loads it. */
const RETRY_MS = 5_000

export class GeoDatabase {
  readonly #file: string
  readonly #tables: GeoTables
  #reader: GeoReader | undefined
  #isLoaded = false

  /**
   * @param openTables opens the tables of a file with these contents
   * @throws Error that names the file if it cannot be read or is no database
   */
  constructor(file: string, openTables: (contents: string) => GeoTables) {
    const bytes = readFile(file)
    this.#file = file
    this.#reader = openReader(file, bytes)
    const contents = createHash('sha256').update(FORMAT).update(bytes).digest('hex').slice(0, 12)
    this.#tables = openTables(contents)
  }

  /** @throws ServiceError `unavailable` until it is loaded */
  dictionaries(): GeoDictionaries {
    if (this.#isLoaded) return this.#tables.dictionaries
    throw new ServiceError('unavailable', 'the database of addresses is being loaded; try again in a moment')
  }

  /** Tries until it is loaded or the signal aborts. Never rejects. */
  async load(log: Log, signal: AbortSignal): Promise<void> {
    const from = performance.now()
    let lastCause = ''
    while (!signal.aborted && !this.#isLoaded) {
      try {
        await this.#fill(signal)
        this.#isLoaded = await this.#tables.load()
      } catch (error) {
        const cause = describeError(error)
        // A repeated error is logged only once.
        if (!signal.aborted && cause !== lastCause)
          log.error({ event: 'error', message: `${this.#file} could not be loaded`, cause })
        lastCause = cause
      }
      if (!this.#isLoaded) await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
    if (signal.aborted) return
    this.#reader = undefined
    log.info({ event: 'geo-database', file: this.#file, seconds: Math.round((performance.now() - from) / 1_000) })
    await this.#tables.dropRest().catch((error: unknown) => log.error({ event: 'error', cause: describeError(error) }))
  }

  async #fill(signal: AbortSignal): Promise<void> {
    if (!this.#reader || (await this.#tables.areThere())) return
    await this.#tables.create()
    await this.#insertAll(this.#reader, signal)
    await this.#tables.complete()
    this.#reader = undefined
  }

  async #insertAll(reader: GeoReader, signal: AbortSignal): Promise<void> {
    const places = new Places()
    let rows: { prefix: string; place: number }[] = []
    let networks = 0
    for (const network of listNetworks(reader)) {
      if (++networks % TURN_NETWORKS === 0) await setImmediate()
      signal.throwIfAborted()
      if (!network) continue
      if (rows.push({ prefix: network.prefix, place: places.numberOf(network.record) }) < ROWS_AT_ONCE) continue
      await this.#tables.insertNetworks(rows)
      rows = []
    }
    if (rows.length > 0) await this.#tables.insertNetworks(rows)
    const all = places.rows()
    for (let at = 0; at < all.length; at += ROWS_AT_ONCE) await this.#tables.insertPlaces(all.slice(at, at + ROWS_AT_ONCE))
  }
}

/** The distinct places, numbered from 1. */
class Places {
  readonly #ofRecords = new Map<unknown, number>()
  readonly #numbers = new Map<string, number>()

  numberOf(record: unknown): number {
    const known = this.#ofRecords.get(record)
    if (known !== undefined) return known
    const info = JSON.stringify(describePlace(record))
    const number = this.#numbers.get(info) ?? this.#numbers.size + 1
    this.#numbers.set(info, number)
    this.#ofRecords.set(record, number)
    return number
  }

  rows(): { place: number; info: string }[] {
    return [...this.#numbers].map(([info, place]) => ({ place, info }))
  }
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Error(`--geo-database: ${file} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
}

/** Opens the file with a cache, so that data which many networks share is read once. */
function openReader(file: string, bytes: Buffer): GeoReader {
  const records = new Map<string | number, unknown>()
  const cache = {
    get: (key: string | number) => records.get(key),
    set: (key: string | number, value: unknown) => void records.set(key, value),
  }
  try {
    return new Reader(bytes, { cache })
  } catch (cause) {
    throw new Error(`--geo-database: ${file} is no database of addresses in MaxMind's format (.mmdb)`, { cause })
  }
}

/** The documented members of the function's result. An unknown text is empty; an unknown number is absent. */
interface PlaceInfo {
  city: string
  country: string
  country_iso: string
  latitude?: number
  longitude?: number
  state: string
  time_zone: string
}

function describePlace(record: unknown): PlaceInfo {
  const country = member(record, 'country') ?? member(record, 'registered_country')
  const location = member(record, 'location')
  const [latitude, longitude] = [member(location, 'latitude'), member(location, 'longitude')]
  const divisions = member(record, 'subdivisions')
  return {
    city: nameOf(member(record, 'city')),
    country: nameOf(country),
    country_iso: textOf(member(country, 'iso_code')),
    ...(typeof latitude === 'number' && { latitude }),
    ...(typeof longitude === 'number' && { longitude }),
    state: nameOf(Array.isArray(divisions) ? divisions[0] : undefined),
    time_zone: textOf(member(location, 'time_zone')),
  }
}

const nameOf = (place: unknown) => textOf(member(member(place, 'names'), 'en'))
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
