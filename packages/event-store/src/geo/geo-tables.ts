/**
 * The tables of a geographic database in the engine: two tables that map networks to places, and a dictionary over each, which the
 * engine holds in memory. They are named after their contents, so that services on one server share them.
 * In this process they are in a database of their own that ends with the process; nothing of it is on disk.
 * Deliberately not here: the file and its reading.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { GeoDictionaries } from '@deployment-annotations/apl/compile'
import { quoteText } from '@deployment-annotations/apl/sql'
import type { Engine } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'

type Table = 'networks' | 'places'

interface DictionaryStatus {
  name: string
  status: string
  reason: string
}

/** The common part of the tables in this process and on a server. */
export abstract class GeoTables {
  readonly dictionaries: GeoDictionaries
  protected readonly engine: Engine
  /** The prefix of all names of these contents. */
  protected readonly name: string
  /** The database of the tables with a dot; empty for the one of the session. */
  readonly #database: string

  /** @param contents 12 hexadecimal digits, the same for the same file */
  constructor(engine: Engine, contents: string, database: string) {
    if (!/^[0-9a-f]{12}$/.test(contents)) throw new Error(`${JSON.stringify(contents)} does not name contents`)
    this.engine = engine
    this.name = `geo_${contents}`
    this.#database = database
    const name = `${database}${this.name}`
    this.dictionaries = { networks: `${name}_of_networks`, places: `${name}_of_places` }
  }

  /** Whether the tables are complete from an earlier time. */
  abstract areThere(): Promise<boolean>

  /** Creates the tables. It may be repeated, even by several services at a time: the same rows twice make the same dictionary. */
  abstract create(): Promise<void>

  /** Drops tables that are no longer needed, after the dictionaries are loaded. */
  abstract dropRest(): Promise<void>

  /** @returns the source of a dictionary's rows, as its definition states it */
  protected abstract sourceOf(table: Table): Promise<string>

  /** @returns the dictionaries of these contents */
  protected abstract statuses(): Promise<DictionaryStatus[]>

  insertNetworks(rows: readonly { prefix: string; place: number }[]): Promise<void> {
    return this.engine.insert(this.table('networks'), rows)
  }

  insertPlaces(rows: readonly { place: number; info: string }[]): Promise<void> {
    return this.engine.insert(this.table('places'), rows)
  }

  /** Creates the dictionaries after all rows are inserted. */
  async complete(): Promise<void> {
    const { networks, places } = this.dictionaries
    const source = async (table: Table) => `SOURCE(CLICKHOUSE(${await this.sourceOf(table)})) LIFETIME(0)`
    await this.#make(`${networks} (prefix String, place UInt32) PRIMARY KEY prefix LAYOUT(IP_TRIE()) ${await source('networks')}`)
    await this.#make(
      `${places} (place UInt64, info String) PRIMARY KEY place LAYOUT(FLAT(MAX_ARRAY_SIZE 10000000)) ${await source('places')}`,
    )
  }

  /** @throws Error without the engine's message, which may repeat the statement with the password of a server */
  async #make(dictionary: string): Promise<void> {
    try {
      await this.engine.run(`CREATE DICTIONARY IF NOT EXISTS ${dictionary}`)
    } catch (error) {
      throw new Error(`the engine does not make the dictionary (error ${engineCode(error) ?? 'unknown'} of the engine)`)
    }
  }

  /** Has the engine load the dictionaries. @returns whether they are loaded, which may take longer than a statement may */
  async load(): Promise<boolean> {
    const { networks, places } = this.dictionaries
    const place = `dictGetOrDefault('${networks}', 'place', toIPv6('::'), toUInt32(0))`
    await this.engine.bulk
      .select(`SELECT dictGetOrDefault('${places}', 'info', toUInt64(${place}), '') AS info`)
      .catch(() => undefined)
    const statuses = await this.statuses()
    const failed = statuses.find(({ status }) => status === 'FAILED')
    if (failed) throw new Error(`the engine cannot load ${failed.name}: ${failed.reason}`)
    return statuses.length === 2 && statuses.every(({ status }) => status === 'LOADED')
  }

  protected table(name: Table): string {
    return `${this.#database}${this.name}_${name}`
  }

  /** @param kind the engine of the tables */
  protected async createTables(kind: string): Promise<void> {
    await this.engine.run(`CREATE TABLE IF NOT EXISTS ${this.table('networks')} (prefix String, place UInt32) ENGINE = ${kind}`)
    await this.engine.run(`CREATE TABLE IF NOT EXISTS ${this.table('places')} (place UInt64, info String) ENGINE = ${kind}`)
  }

  /** @param database an SQL expression */
  protected listStatuses(database: string): Promise<DictionaryStatus[]> {
    return this.engine.select(
      `SELECT name, toString(status) AS status, last_exception AS reason FROM system.dictionaries
        WHERE database = ${database} AND startsWith(name, '${this.name}_')`,
    )
  }
}

/** The database of the tables in this process. */
const GEO_DATABASE = 'geo'

/**
 * Call this before the engine opens its directory. The database is created anew, and a definition that a full disk cut off would keep
 * the engine from opening.
 */
export function forgetGeoTables(engineDir: string): void {
  rmSync(join(engineDir, 'metadata', `${GEO_DATABASE}.sql`), { force: true })
}

export class EmbeddedGeoTables extends GeoTables {
  constructor(engine: Engine, contents: string) {
    super(engine, contents, `${GEO_DATABASE}.`)
  }

  async areThere(): Promise<boolean> {
    return false
  }

  async create(): Promise<void> {
    await this.engine.run(`DROP DATABASE IF EXISTS ${GEO_DATABASE}`)
    await this.engine.run(`CREATE DATABASE ${GEO_DATABASE} ENGINE = Memory`)
    await this.createTables('Memory')
  }

  /** Drops the tables, because their rows are also in the dictionaries. */
  async dropRest(): Promise<void> {
    for (const table of ['networks', 'places'] as const) await this.engine.run(`TRUNCATE TABLE ${this.table(table)}`)
  }

  protected async sourceOf(table: Table): Promise<string> {
    return `DB '${GEO_DATABASE}' TABLE '${this.name}_${table}'`
  }

  protected statuses(): Promise<DictionaryStatus[]> {
    return this.listStatuses(`'${GEO_DATABASE}'`)
  }
}

/** How long tables of other contents stay, because services that start one after the other may have two files. */
const KEPT_SECONDS = 86_400

/** The user as whom a server's dictionaries read their tables. */
interface Login {
  user: string
  password: string
}

export class ServerGeoTables extends GeoTables {
  readonly #login: Login | undefined

  constructor(engine: Engine, contents: string, login: Login | undefined) {
    super(engine, contents, '')
    this.#login = login
  }

  async areThere(): Promise<boolean> {
    return (await this.statuses()).length === 2
  }

  create(): Promise<void> {
    return this.createTables('MergeTree ORDER BY tuple()')
  }

  /** Drops the tables of other files. */
  async dropRest(): Promise<void> {
    const old = await this.engine.select<{ name: string; isDictionary: number }>(
      `SELECT name, engine = 'Dictionary' AS isDictionary FROM system.tables WHERE database = currentDatabase()
        AND match(name, '^geo_[0-9a-f]{12}_') AND NOT startsWith(name, '${this.name}_')
        AND metadata_modification_time < now() - ${KEPT_SECONDS} ORDER BY isDictionary DESC`,
    )
    for (const { name, isDictionary } of old)
      await this.engine.run(`DROP ${isDictionary ? 'DICTIONARY' : 'TABLE'} IF EXISTS ${name}`)
  }

  protected async sourceOf(table: Table): Promise<string> {
    const [row] = await this.engine.select<{ name: string }>('SELECT currentDatabase() AS name')
    const login = this.#login ? ` USER ${quoteText(this.#login.user)} PASSWORD ${quoteText(this.#login.password)}` : ''
    return `DB ${quoteText(row?.name ?? '')} TABLE '${this.name}_${table}'${login}`
  }

  protected statuses(): Promise<DictionaryStatus[]> {
    return this.listStatuses('currentDatabase()')
  }
}
