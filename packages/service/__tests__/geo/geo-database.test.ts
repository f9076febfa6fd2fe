/**
 * `geo_info_from_ip_address` over a database of addresses that the operator provides: real files, the real engine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { type Place, writeMmdb } from '../../../event-store/__tests__/geo/mmdb.ts'
import { apl, ingest, rowsOf } from '../query/ask.ts'

const testOnServer = hasClickHouse ? test : test.skip
const directory = mkdtempSync(join(tmpdir(), 'geo-'))
afterAll(() => rmSync(directory, { recursive: true }))

const named = (name: string) => ({ names: { en: name, de: `${name} (de)` } })
const BERLIN = {
  city: named('Berlin'),
  country: { iso_code: 'DE', ...named('Germany') },
  location: { latitude: 52.5, longitude: -13.25, time_zone: 'Europe/Berlin' },
  subdivisions: [{ iso_code: 'BE', ...named('State of "Berlin"') }, named('Mitte')],
}
const PLACES: readonly Place[] = [
  { prefix: '192.0.2.0/24', record: BERLIN },
  { prefix: '198.51.100.128/25', record: { country: { iso_code: 'FR', ...named('France') } } },
  { prefix: '203.0.113.7/32', record: { registered_country: { iso_code: 'IT', ...named('Italy') } } },
  { prefix: '2001:db8::/32', record: BERLIN },
]

function write(name: string, places: readonly Place[]): string {
  const file = join(directory, name)
  writeFileSync(file, writeMmdb(places))
  return file
}

/** The answer to one query of rows, once the database is loaded. */
async function ask(service: RunningService, text: string): Promise<Record<string, unknown>[]> {
  for (const until = Date.now() + 30_000; ; await sleep(50)) {
    const { status, body } = await apl(service, text)
    if (status === 200) return rowsOf(body)
    if (status !== 503 || Date.now() > until) throw new Error(`a query answered ${status} ${body.message}`)
    expect(body.message).toBe('the database of addresses is being loaded; try again in a moment')
  }
}

const ADDRESSES = [
  '192.0.2.1',
  '192.0.3.1',
  '198.51.100.127',
  '198.51.100.255',
  '203.0.113.7',
  '2001:db8:1::5',
  '::ffff:192.0.2.9',
  '::',
  'x',
  '',
]
const COUNTRIES = ['DE', null, null, 'FR', 'IT', 'DE', 'DE', null, null, null]
const BY_ADDRESS = "['web'] | sort by n asc | extend geo = geo_info_from_ip_address(ip) | project ip, country = geo.country_iso"

async function expectPlaces(service: RunningService): Promise<void> {
  await ingest(service, 'web', [...ADDRESSES.map((ip, n) => ({ ip, n })), { n: 100 }])
  expect((await ask(service, BY_ADDRESS)).map(({ country }) => country)).toEqual([...COUNTRIES, null])
  const [row] = await ask(service, "print g = geo_info_from_ip_address('192.0.2.77'), none = geo_info_from_ip_address('8.8.8.8')")
  expect(row).toEqual({
    g: {
      city: 'Berlin',
      country: 'Germany',
      country_iso: 'DE',
      latitude: 52.5,
      longitude: -13.25,
      state: 'State of "Berlin"',
      time_zone: 'Europe/Berlin',
    },
    none: null,
  })
  const grouped =
    "['web'] | where isnotnull(geo_info_from_ip_address(ip)) | summarize count() by tostring(geo_info_from_ip_address(ip).country) | sort by count_ desc | limit 1"
  expect((await ask(service, grouped))[0]).toMatchObject({ count_: 3 })
  expect(await ask(service, "print geo_info_from_ip_address('198.51.100.200') | project x = tostring(Column1)")).toEqual([
    { x: '{"city":"","country":"France","country_iso":"FR","state":"","time_zone":""}' },
  ])
}

test('an address is found in its network, in the process, and with another file in the next run', async () => {
  const dataDir = join(directory, 'data')
  {
    await using service = await startService({ dataDir, args: ['--geo-database', write('one.mmdb', PLACES)] })
    await expectPlaces(service)
    expect(service.stderr).toContain('"event":"geo-database"')
    await service.kill()
  }
  const moved = write('two.mmdb', [{ prefix: '192.0.2.0/24', record: { city: named('Rome') } }])
  await using service = await startService({ dataDir, env: { ANNOTATION_SERVICE_GEO_DATABASE: moved } })
  expect(
    await ask(
      service,
      "print x = geo_info_from_ip_address('192.0.2.1').city, y = isnull(geo_info_from_ip_address('2001:db8::1'))",
    ),
  ).toEqual([{ x: 'Rome', y: true }])
})

testOnServer('a ClickHouse server keeps it for the services that share it', async () => {
  await using server = await startClickHouse()
  const dataDir = join(directory, 'records')
  // As somebody, because the dictionaries read their tables as that user.
  const args = ['--clickhouse', server.url.replace('//', '//default:@'), '--geo-database', write('server.mmdb', PLACES)]
  const tables = async () =>
    (
      await fetch(
        `${server.url}/?query=${encodeURIComponent("SELECT name, metadata_modification_time FROM system.tables WHERE name LIKE 'geo%' ORDER BY name")}`,
      )
    ).text()
  {
    await using service = await startService({ args, dataDir })
    await expectPlaces(service)
  }
  const before = await tables()
  expect(before.trim().split('\n').length).toBe(4)
  await using again = await startService({ args, dataDir })
  expect(await ask(again, "print x = geo_info_from_ip_address('192.0.2.1').city")).toEqual([{ x: 'Berlin' }])
  expect(await tables()).toBe(before)
})

test.each([
  ['that is not there', join(directory, 'absent.mmdb'), 'absent.mmdb cannot be read (ENOENT)'],
  ['that is none', 'package.json', "package.json is no database of addresses in MaxMind's format (.mmdb)"],
])('a file %s ends the start with its name', async (_, file, message) => {
  await expect(startService({ args: ['--geo-database', file] })).rejects.toThrow(message)
})
