/**
 * The import of an export of an earlier version, whose records have other names.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import type { SavedView } from '@deployment-annotations/contract/schemas/saved-view'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { hasPostgres, startPostgres } from '../../../../__tests__/support/postgres.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import type { Manifest } from '../../src/transfer/directory.ts'
import { fromLine, RowSums, toLine } from '../../src/transfer/record-lines.ts'
import { ask, created } from '../http.ts'
import { asOperator, move, startCommand } from './moving.ts'

const parent = folderForTests('transfer')
const at = (name: string) => join(parent, name)
const QUERY = "['web'] | where status >= 500"
const SERIES = { name: 'web errors', verdict: 'too-little-data' }

beforeAll(async () => {
  await using service = await startService({ dataDir: at('first') })
  await created(service, { datasets: ['web'], type: 'deploy', time: '2026-01-31T12:00:00Z' })
  const view = { name: 'errors', startTime: 'now-1h', endTime: 'now', annotationsQuery: QUERY }
  await ask(service, 'POST', '/v2/saved-views', { body: view })
  await move(['export', '--url', service.url, '--to', at('out')], asOperator)
  changeManifest(({ plan }) => Object.assign(plan, { recordsVersion: '0013-no-row-digests' }))
  changeRecords('annotations', ({ verdict_details: _, ...row }) => {
    const judgement = JSON.stringify({ headline: 'Cannot tell', series: [SERIES] })
    return { ...row, type: 'seen-release', verdict: 'too-little-data', judgement }
  })
  changeRecords('saved_views', ({ definition, ...row }) => {
    return { ...row, definition: String(definition).replace('"annotationsQuery":', '"marksQuery":') }
  })
})

function changeManifest(change: (manifest: Manifest) => void): void {
  const manifest = JSON.parse(readFileSync(at('out/manifest.json'), 'utf8')) as Manifest
  change(manifest)
  writeFileSync(at('out/manifest.json'), JSON.stringify(manifest))
}

type Row = ReturnType<typeof fromLine>

function changeRecords(table: 'annotations' | 'saved_views', change: (row: Row) => Row): void {
  const file = at(`out/records/${table}.ndjson`)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const changed = lines.map((line) => toLine(change(fromLine(line))))
  const sums = new RowSums()
  for (const line of changed) sums.add(line)
  writeFileSync(file, changed.map((line) => `${line}\n`).join(''))
  changeManifest(({ finished }) => finished && Object.assign(finished.records, { [table]: { rows: sums.rows, sum: sums.sum } }))
}

async function expectRenamed(dataDir: string, args: readonly string[] = []): Promise<void> {
  await move(['import', '--from', at('out'), '--data', dataDir, ...args])
  await using service = await startService({ dataDir, args })
  const { body: annotations } = await ask<Annotation[]>(service, 'GET', '/v2/annotations?verdict=inconclusive')
  const verdictDetails = { headline: 'Cannot tell', series: [{ ...SERIES, verdict: 'inconclusive' }] }
  expect(annotations).toMatchObject([{ type: 'detected-release', verdict: 'inconclusive', verdictDetails }])
  const { body: views } = await ask<SavedView[]>(service, 'GET', '/v2/saved-views')
  expect(views).toMatchObject([{ name: 'errors', annotationsQuery: QUERY }])
  await move(['export', '--url', service.url, '--to', join(dataDir, 'again')], asOperator)
}

test('has the names of this version afterwards', async () => {
  await expectRenamed(at('second'))
})

test('has the names of this version afterwards, on PostgreSQL too', async () => {
  if (!hasPostgres) return console.warn('skipped: this machine has no PostgreSQL')
  await using postgres = await startPostgres()
  await expectRenamed(at('third'), ['--records', await postgres.createDatabase()])
})

test('is refused if this version does not know how its records were', async () => {
  changeManifest(({ plan }) => Object.assign(plan, { recordsVersion: '0011-outbox-by-subject', program: '1.0.0' }))
  const { output, ended } = startCommand(['import', '--from', at('out'), '--data', at('fourth')])
  expect(await ended).toBe(1)
  expect(output.stderr).toContain('has records of version 0011-outbox-by-subject')
  expect(output.stderr).toContain('import it with version 1.0.0 of this program')
})
