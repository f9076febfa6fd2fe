/**
 * A database of addresses in the engine: which network is at which place, as two tables and a dictionary over each, which the
 * engine holds in memory. They are named after their contents, so services that share a server share them.
 * In the process they are in a database of their own that is gone when the process ends: nothing of it is on disk.
 * Deliberately not here: files of addresses, and when they are read.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { GeoDictionaries } from '@deployment-annotations/apl/compile'
import { quoteText } from '@deployment-annotations/apl/sql'
import type { Engine } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'

/** In the process. */
const GEO_DATABASE = 'geo'

/** A server's dictionaries read their tables as somebody. */
export interface Login {
  user: string
  password: string
}

/** How old tables of other contents are when they are dropped: services that start one after the other may have two files. */
const KEPT_SECONDS = 86_400

/** To be called before the engine opens its directory: the database is made anew, and a definition that a full disk cut off would keep it from opening. */
export function forgetGeoTables(engineDir: string): void {
  rmSync(join(engineDir, 'metadata', `${GEO_DATABASE}.sql`), { force: true })
}

type Table = 'networks' | 'places'

export class GeoTables {
  readonly dictionaries: GeoDictionaries
  readonly #engine: Engine
  readonly #login: Login | undefined
  /** What all names begin with. */
  readonly #name: string
  readonly #database: string

  /** @param contents hexadecimal digits, the same for the same file */
  constructor(engine: Engine, contents: string, login?: Login) {
    if (!/^[0-9a-f]{12}$/.test(contents)) throw new Error(`${JSON.stringify(contents)} does not name contents`)
    this.#engine = engine
    this.#login = login
    this.#name = `geo_${contents}`
    this.#database = engine.isServer ? '' : `${GEO_DATABASE}.`
    const name = `${this.#database}${this.#name}`
    this.dictionaries = { networks: `${name}_of_networks`, places: `${name}_of_places` }
  }

  /** Whether the server has all of it from an earlier time. */
  async areThere(): Promise<boolean> {
    return this.#engine.isServer && (await this.#statuses()).length === 2
  }

  /** Makes the tables. May be repeated, also by several services at a time: the same rows twice make the same dictionary. */
  async create(): Promise<void> {
    const engine = this.#engine
    if (!engine.isServer) {
      await engine.run(`DROP DATABASE IF EXISTS ${GEO_DATABASE}`)
      await engine.run(`CREATE DATABASE ${GEO_DATABASE} ENGINE = Memory`)
    }
    const kind = engine.isServer ? 'MergeTree ORDER BY tuple()' : 'Memory'
    await engine.run(`CREATE TABLE IF NOT EXISTS ${this.#table('networks')} (prefix String, place UInt32) ENGINE = ${kind}`)
    await engine.run(`CREATE TABLE IF NOT EXISTS ${this.#table('places')} (place UInt64, info String) ENGINE = ${kind}`)
  }

  insertNetworks(rows: readonly { prefix: string; place: number }[]): Promise<void> {
    return this.#engine.insert(this.#table('networks'), rows)
  }

  insertPlaces(rows: readonly { place: number; info: string }[]): Promise<void> {
    return this.#engine.insert(this.#table('places'), rows)
  }

  /** Makes the dictionaries, once all rows are there. */
  async complete(): Promise<void> {
    const { networks, places } = this.dictionaries
    const source = async (table: Table) => `SOURCE(CLICKHOUSE(${await this.#source(table)})) LIFETIME(0)`
    await this.#make(`${networks} (prefix String, place UInt32) PRIMARY KEY prefix LAYOUT(IP_TRIE()) ${await source('networks')}`)
    await this.#make(
      `${places} (place UInt64, info String) PRIMARY KEY place LAYOUT(FLAT(MAX_ARRAY_SIZE 10000000)) ${await source('places')}`,
    )
  }

  /** @throws Error without what the engine says: that may repeat the statement, which has the password of a server in it */
  async #make(dictionary: string): Promise<void> {
    try {
      await this.#engine.run(`CREATE DICTIONARY IF NOT EXISTS ${dictionary}`)
    } catch (error) {
      throw new Error(`the engine does not make the dictionary (error ${engineCode(error) ?? 'unknown'} of the engine)`)
    }
  }

  /** Has the engine load them where it has not. @returns whether it has; it may take longer than a statement may */
  async load(): Promise<boolean> {
    const { networks, places } = this.dictionaries
    const place = `dictGetOrDefault('${networks}', 'place', toIPv6('::'), toUInt32(0))`
    await this.#engine.bulk
      .select(`SELECT dictGetOrDefault('${places}', 'info', toUInt64(${place}), '') AS info`)
      .catch(() => undefined)
    const statuses = await this.#statuses()
    const failed = statuses.find(({ status }) => status === 'FAILED')
    if (failed) throw new Error(`the engine cannot load ${failed.name}: ${failed.reason}`)
    return statuses.length === 2 && statuses.every(({ status }) => status === 'LOADED')
  }

  /** Once they are loaded: drops what was made of other files; in the process the rows, which are in memory twice now. */
  async dropRest(): Promise<void> {
    if (!this.#engine.isServer) {
      for (const table of ['networks', 'places'] as const) await this.#engine.run(`TRUNCATE TABLE ${this.#table(table)}`)
      return
    }
    const old = await this.#engine.select<{ name: string; isDictionary: number }>(
      `SELECT name, engine = 'Dictionary' AS isDictionary FROM system.tables WHERE database = currentDatabase()
        AND match(name, '^geo_[0-9a-f]{12}_') AND NOT startsWith(name, '${this.#name}_')
        AND metadata_modification_time < now() - ${KEPT_SECONDS} ORDER BY isDictionary DESC`,
    )
    for (const { name, isDictionary } of old)
      await this.#engine.run(`DROP ${isDictionary ? 'DICTIONARY' : 'TABLE'} IF EXISTS ${name}`)
  }

  #table(name: Table): string {
    return `${this.#database}${this.#name}_${name}`
  }

  #statuses(): Promise<{ name: string; status: string; reason: string }[]> {
    const database = this.#engine.isServer ? 'currentDatabase()' : `'${GEO_DATABASE}'`
    return this.#engine.select(
      `SELECT name, toString(status) AS status, last_exception AS reason FROM system.dictionaries
        WHERE database = ${database} AND startsWith(name, '${this.#name}_')`,
    )
  }

  async #source(table: Table): Promise<string> {
    const [row] = this.#engine.isServer
      ? await this.#engine.select<{ name: string }>('SELECT currentDatabase() AS name')
      : [{ name: GEO_DATABASE }]
    const login = this.#login ? ` USER ${quoteText(this.#login.user)} PASSWORD ${quoteText(this.#login.password)}` : ''
    return `DB ${quoteText(row?.name ?? '')} TABLE '${this.#name}_${table}'${login}`
  }
}
