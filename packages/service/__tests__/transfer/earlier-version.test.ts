/**
 * The import of an export of an earlier version, whose records have other names.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { beforeAll, expect, test } from '@jest/globals'
import { folderForTests } from '../../../../__tests__/support/for-tests.ts'
import { hasPostgres, startPostgres } from '../../../../__tests__/support/postgres.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import type { Manifest } from '../../src/transfer/directory.ts'
import { fromLine, RowSums, toLine } from '../../src/transfer/record-lines.ts'
import { ask, created } from '../http.ts'
import { asOperator, move } from './moving.ts'

const parent = folderForTests('transfer')
const at = (name: string) => join(parent, name)

beforeAll(async () => {
  await using service = await startService({ dataDir: at('first') })
  await created(service, { datasets: ['web'], type: 'deploy', time: '2026-01-31T12:00:00Z' })
  await move(['export', '--url', service.url, '--to', at('out')], asOperator)
  const [file, list] = [at('out/records/annotations.ndjson'), at('out/manifest.json')]
  const { verdict_details: _, ...row } = fromLine(readFileSync(file, 'utf8').trim())
  const judgement = '{"headline":"Cannot tell","series":[{"verdict":"too-little-data"}]}'
  const earlier = toLine({ ...row, type: 'seen-release', verdict: 'too-little-data', judgement })
  writeFileSync(file, `${earlier}\n`)
  const sums = new RowSums()
  sums.add(earlier)
  const { plan, finished, ...manifest } = JSON.parse(readFileSync(list, 'utf8')) as Manifest
  const records = { ...finished?.records, annotations: { rows: 1, sum: sums.sum } }
  const changed = { plan: { ...plan, recordsVersion: '0013-no-row-digests' }, finished: { ...finished, records } }
  writeFileSync(list, JSON.stringify({ ...manifest, ...changed }))
})

test.each(hasPostgres ? ['SQLite', 'PostgreSQL'] : ['SQLite'])('on %s it has the names of this version', async (place) => {
  await using postgres = place === 'PostgreSQL' ? await startPostgres() : undefined
  const args = postgres ? ['--postgres', await postgres.createDatabase()] : []
  await move(['import', '--from', at('out'), '--data', at(place), ...args])
  await using service = await startService({ dataDir: at(place), args })
  const { body } = await ask<Annotation[]>(service, 'GET', '/v2/annotations?verdict=inconclusive')
  const verdictDetails = { headline: 'Cannot tell', series: [{ verdict: 'inconclusive' }] }
  expect(body).toEqual([expect.objectContaining({ type: 'detected-release', verdict: 'inconclusive', verdictDetails })])
})
