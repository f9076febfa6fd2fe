/**
 * What earlier versions of the service left, opened by this one: everything is there, to the digit, and it is in the records.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type RunningService, runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { openRecords } from '../../src/records/open-records.ts'
import { DATA_VERSION } from '../../src/store/data-version.ts'
import { openEmbeddedEngine } from '../../src/store/embedded-engine.ts'
import { ask, seen, tablesIn } from './earlier-answers.ts'
import { EARLIER_DATA, type Expected, unpackEarlierData } from './earlier-data.ts'

/** Data of a service of this version that has ended. */
let fresh: RunningService
beforeAll(async () => {
  fresh = await startService()
  await fresh.stop()
})
afterAll(() => fresh[Symbol.asyncDispose]())

test.each(EARLIER_DATA)('%s is all there, the newest again after a restart, and deployments go on', async (name) => {
  using earlier = unpackEarlierData(name)
  const rounds = name === 'version-4' ? 2 : 1
  for (let round = 0; round < rounds; round++) {
    await using service = await startService({ dataDir: earlier.dataDir })
    expect(earlier.expected).toMatchObject(await seen(service, earlier.expected))
    expect(service.stderr.includes('"event":"taken over"')).toBe(round === 0)
    if (round === rounds - 1) await expectDeploymentsGoOn(service, earlier.expected)
    expect(await service.stop()).toMatchObject({ exitCode: 0 })
  }
  // Keeps the earlier version from it.
  expect(await versionIn(earlier.dataDir)).toEqual([{ version: DATA_VERSION }])
})

/** Version 4 is the first that has some. */
async function expectDeploymentsGoOn(service: RunningService, { version, deployments }: Expected): Promise<void> {
  expect(deployments !== undefined).toBe(version >= 4)
  const { repeated = [], next } = deployments ?? {}
  for (const { body, headers, outcome } of [...repeated, ...(next ? [next] : [])]) {
    expect(await ask(service, 'POST', '/v1/integrations/generic', { body, headers })).toMatchObject({
      status: 200,
      body: { outcome },
    })
  }
}

describe('once version-4 is taken over', () => {
  let earlier: ReturnType<typeof unpackEarlierData>
  let tokens: string
  let markMs: bigint
  beforeAll(async () => {
    earlier = unpackEarlierData('version-4')
    tokens = readFileSync(join(earlier.dataDir, 'tokens.json'), 'utf8')
    markMs = BigInt(readFileSync(join(earlier.dataDir, 'row-id-mark'), 'utf8'))
    await (await startService({ dataDir: earlier.dataDir })).stop()
  })
  afterAll(() => earlier[Symbol.dispose]())

  test('nothing of it stays but events, and its files under another name', async () => {
    expect(await tablesIn(earlier.dataDir)).toEqual(['events_…', 'records_…', 'schema_versions'])
    expect(readdirSync(earlier.dataDir)).toEqual(
      expect.arrayContaining(['integrations.json.taken-over', 'integrations.key', 'records.db', 'tokens.json.taken-over']),
    )
    for (const name of ['tokens.json', 'integrations.json']) expect(existsSync(join(earlier.dataDir, name))).toBe(false)
    const aside = join(earlier.dataDir, 'tokens.json.taken-over')
    expect([readFileSync(aside, 'utf8'), statSync(aside).mode & 0o777]).toEqual([tokens, 0o600])
  })

  test('row ids go on above those that were given out', async () => {
    const records = await openRecords(earlier.dataDir)
    const node = await records.read.selectFrom('leases').selectAll().where('name', '=', 'node/0').executeTakeFirst()
    await records.close()
    expect(node?.mark_ms).toBeGreaterThanOrEqual(markMs)
  })
})

/** Versions up to 4 ask this at their start, and refuse what is above their own. */
async function versionIn(dataDir: string): Promise<unknown> {
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  const rows = await engine.select('SELECT max(version) AS version FROM schema_versions')
  await engine.close()
  return rows
}

test('an earlier version is kept from new data too', async () => {
  expect(DATA_VERSION).toBeGreaterThan(4)
  expect(await versionIn(fresh.dataDir)).toEqual([{ version: DATA_VERSION }])
})

test('files that appear later are named, and neither read nor touched', async () => {
  using earlier = unpackEarlierData('version-1')
  const path = join(fresh.dataDir, 'tokens.json')
  writeFileSync(path, readFileSync(join(earlier.dataDir, 'tokens.json')))
  await using again = await startService({ dataDir: fresh.dataDir })
  expect(again.stderr).toContain(`${path} is not used`)
  expect((await runServiceCommand(['token', 'list', '--data', fresh.dataDir])).stdout).not.toContain('from the command')
  expect(existsSync(path)).toBe(true)
})

test('a token file that cannot be read ends the start, and leaves everything as it was', async () => {
  using earlier = unpackEarlierData('version-4')
  const path = join(earlier.dataDir, 'tokens.json')
  const tokens = readFileSync(path, 'utf8')
  writeFileSync(path, tokens.slice(0, 100))
  const { exitCode, stderr } = await runServiceCommand(['--port', '0', '--data', earlier.dataDir])
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${path} cannot be read`)])
  expect(await tablesIn(earlier.dataDir)).toEqual(expect.arrayContaining(['annotations', 'datasets', 'monitors']))
  writeFileSync(path, tokens)
  await using service = await startService({ dataDir: earlier.dataDir })
  expect(earlier.expected).toMatchObject(await seen(service, earlier.expected))
})

test('records that have data of their own do not take over an engine of an earlier version', async () => {
  using earlier = unpackEarlierData('version-1')
  writeFileSync(join(earlier.dataDir, 'records.db'), readFileSync(join(fresh.dataDir, 'records.db')))
  const { exitCode, stderr } = await runServiceCommand(['--port', '0', '--data', earlier.dataDir])
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('an earlier version made the data there')])
  expect(await tablesIn(earlier.dataDir)).toContain('annotations')
})
