/**
 * Exports that earlier versions wrote, which `scripts/keep-export.ts` kept, and what a service of this version answers after it has imported
 * them.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { hasPostgres, startPostgres } from '../../../../__tests__/support/postgres.ts'
import { openTestRecords } from '../../../../__tests__/support/records.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { ask } from '../http.ts'
import { apl, rowsOf } from '../query/ask.ts'
import { move } from './moving.ts'

const parent = folderForTests('transfer')
const at = (name: string) => join(parent, name)
const KEPT = fileURLToPath(new URL('kept', import.meta.url))
/** The version of the records of the first exports that were kept. */
const FIRST = '0011-outbox-by-subject'

const versions = readdirSync(KEPT)
  .map((file) => file.replace('.tar.gz', ''))
  .sort()
const cases = [...versions.map((version) => [version, 'SQLite']), ...(hasPostgres ? [[FIRST, 'PostgreSQL']] : [])]

test('an export is kept of each version of the records; after a new migration run: node scripts/keep-export.ts', async () => {
  await using opened = await openTestRecords()
  const made = await opened.records.read
    .selectFrom('kysely_migration' as 'settings')
    .select('name')
    .orderBy('name')
    .execute()
  expect(versions).toEqual(made.map(({ name }) => name).filter((name) => name >= FIRST))
})

test.each(cases)(
  'an export with records of %s is imported into %s, and all of it has the names of this version',
  async (version, place) => {
    const [from, dataDir] = [at(`${version}-${place}`), at(`${version}-${place}-data`)]
    mkdirSync(from)
    execFileSync('tar', ['-xzf', join(KEPT, `${version}.tar.gz`), '-C', from])
    await using postgres = place === 'PostgreSQL' ? await startPostgres() : undefined
    const args = postgres ? ['--postgres', await postgres.createDatabase()] : []
    await move(['import', '--from', from, '--data', dataDir, ...args])
    await using service = await startService({ dataDir, args })
    const get = async <T = object[]>(path: string) => (await ask<T>(service, 'GET', path)).body

    const annotations = await get('/v2/annotations?limit=1000&include=all')
    expect(annotations).toHaveLength(36)
    const verdictDetails = { series: [{ verdict: 'inconclusive' }], neighbors: [] }
    expect(annotations.slice(-5)).toMatchObject([
      { datasets: ['rare'], version: '1.0.0', tags: ['a'], verdict: 'inconclusive', verdictDetails },
      { datasets: ['gone (deleted)'], title: 'left' },
      { type: 'detected-release', title: 'web 2.0.0', version: '2.0.0' },
      { title: 'open', open: true },
      { type: 'monitor', title: 'alert' },
    ])
    expect(await get('/v2/notifiers')).toMatchObject([{ name: 'hook', types: ['detected-release'] }])
    const monitors = await get<Monitor[]>('/v2/monitors')
    const aplQuery = "['_annotations'] | where verdict == 'inconclusive' | summarize count()"
    expect(monitors).toMatchObject([{ disabled: true }, { name: 'alert' }, { aplQuery, notifierIds: [expect.any(String)] }])
    const history = `/v2/monitors/${monitors[1]?.id}/history?startTime=2026-01-01T00:00:00Z&endTime=2099-01-01T00:00:00Z`
    expect((await get(history))[0]).toMatchObject({ name: 'alert', state: 'open' })
    const annotationsQuery = "['_annotations'] | where rolledBackBy != ''"
    expect(await get('/v2/saved-views')).toMatchObject([{ hiddenTypes: ['deploy'] }, { name: 'v', annotationsQuery }])
    const { id } = JSON.parse(readFileSync(join(from, 'records/saved_queries.ndjson'), 'utf8')) as { id: string }
    const saved = await get(`/v1/datasets/_history/${id}`)
    expect(JSON.stringify(saved)).toContain("['_annotations'] | where type == 'detected-release'")
    expect(await get('/v2/integrations')).toMatchObject([{ platform: 'github', lastDelivery: { outcome: 'created' } }])
    expect(await get('/v2/tokens')).toMatchObject([{ id: 'tok_operator' }, { name: 'ingester' }])
    expect(await get('/v2/datasets/web/mapfields')).toEqual(['labels'])
    expect(rowsOf((await apl(service, "['web'] | summarize count() by failed | sort by failed", {}, 'tabular')).body)).toEqual([
      { failed: true, count_: 30 },
      { failed: false, count_: 690 },
    ])
    const datasets = await get<{ name: string }[]>('/v2/datasets')
    expect(datasets.map(({ name }) => name)).toEqual(['empty', 'exact', 'keyed', 'rare', 'web', 'wide'])
  },
)
