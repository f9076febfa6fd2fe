/**
 * A database of addresses: how long it takes until the embedded engine has it, what memory it takes, and what looking up costs.
 * `node bench/geo.ts [networks]`, by default 100,000: two thirds of IPv4, the rest of IPv6, at 20,000 places.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeMmdb } from '../packages/event-store/__tests__/geo/mmdb.ts'
import { openEmbeddedEngine } from '../packages/event-store/src/embedded/embedded-engine.ts'
import { GeoDatabase } from '../packages/event-store/src/geo/geo-database.ts'
import { EmbeddedGeoTables } from '../packages/event-store/src/geo/geo-tables.ts'
import { openEmbeddedReader } from '../packages/event-store/src/reading/embedded-reader.ts'
import { READ_LIMITS } from '../packages/event-store/src/reading/reader.ts'
import { createLog } from '../packages/runtime/src/log.ts'

const NETWORKS = Number(process.argv[2] ?? 100_000)
const PLACES = 20_000
const ROUNDS = 5
const ROWS = 1_000_000

const records = Array.from({ length: PLACES }, (_, n) => ({
  city: { names: { en: `City ${n}` } },
  country: { iso_code: `C${n % 200}`, names: { en: `Country ${n % 200}` } },
  location: { latitude: n / 1_000 + 0.5, longitude: -n / 1_000 - 0.5, time_zone: 'Europe/Berlin' },
  subdivisions: [{ names: { en: `State ${n % 3_000}` } }],
}))
const networks = Array.from({ length: NETWORKS }, (_, n) => ({
  prefix:
    n % 3 === 0
      ? `2a${(n >>> 16).toString(16).padStart(2, '0')}:${(n & 65_535).toString(16)}::/32`
      : `${1 + (n >>> 16)}.${(n >>> 8) & 255}.${n & 255}.0/24`,
  record: records[n % PLACES] as object,
}))

const directory = mkdtempSync(join(tmpdir(), 'bench-geo-'))
const file = join(directory, 'places.mmdb')
const bytes = writeMmdb(networks)
writeFileSync(file, bytes)
const engine = openEmbeddedEngine(join(directory, 'engine'))
const reader = openEmbeddedReader(join(directory, 'engine'), READ_LIMITS)
const { signal } = new AbortController()

const rssBefore = process.memoryUsage().rss
const from = performance.now()
const geo = new GeoDatabase(file, (contents) => new EmbeddedGeoTables(engine, contents))
const openedMs = performance.now() - from
const lags: number[] = []
let last = performance.now()
const timer = setInterval(() => {
  lags.push(performance.now() - last - 5)
  last = performance.now()
}, 5)
await geo.load(
  createLog(() => undefined),
  signal,
)
const loadedMs = performance.now() - from
clearInterval(timer)
const [memory] = await engine.select<{ mib: number }>('SELECT sum(bytes_allocated) / 1048576 AS mib FROM system.dictionaries')

const address = `IPv4NumToString(toUInt32(16777216 + (number * 2654435761) % ${Math.ceil(NETWORKS / 65_536) * 16_777_216}))`
const names = geo.dictionaries()
const place = `toUInt64(dictGetOrDefault('${names.networks}', 'place', toIPv6OrDefault(ip), toUInt32(0)))`
const timeOf = async (what: string) => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await reader.read(
      { sql: `SELECT count(${what}) AS n FROM (SELECT ${address} AS ip FROM numbers(${ROWS}))`, params: {} },
      signal,
    )
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number
}
const [bare, looked] = [
  await timeOf('toIPv6OrNull(ip)'),
  await timeOf(`nullIf(dictGetOrDefault('${names.places}', 'info', ${place}, ''), '')`),
]

const mib = (size: number) => `${Math.round(size / 1_048_576)} MiB`
console.log(`${NETWORKS.toLocaleString('en')} networks, a file of ${mib(bytes.length)}
opened in ${openedMs.toFixed(0)} ms; in the engine after ${(loadedMs / 1_000).toFixed(1)} s, meanwhile the event loop was held up for ${Math.max(...lags).toFixed(0)} ms at most
dictionaries: ${memory?.mib.toFixed(1)} MiB; the process grew by ${mib(process.memoryUsage().rss - rssBefore)}
${ROWS.toLocaleString('en')} addresses read: ${bare.toFixed(0)} ms; and looked up: ${looked.toFixed(0)} ms`)
await reader.close()
await engine.close()
rmSync(directory, { recursive: true })
process.exit()
