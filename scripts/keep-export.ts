/**
 * Keeps an export for the tests of later versions: `node scripts/keep-export.ts` fills the service that is built with a record of each kind,
 * which takes half a minute, and exports it under the name of the last migration. Run it once a migration is complete.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../__tests__/support/service.ts'
import { ask, make } from '../packages/service/__tests__/http.ts'
import { asOperator, fill, KEY, KEYED, move } from '../packages/service/__tests__/transfer/moving.ts'

const folder = mkdtempSync(join(tmpdir(), 'keep-export-'))
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const eventAt = (minutes: number) => ({ _time: minutesAgo(minutes), service: 'web', version: minutes < 300 ? '2.0.0' : '1.0.0' })
const EVENTS = Array.from({ length: 720 }, (_, n) => ({ ...eventAt(n), status: n < 30 ? 500 : 200, labels: { a: n } }))
// So long ago that no later service judges it again.
const DEPLOY = { type: 'deploy', time: minutesAgo(2_000), tags: ['a'] }
const RARE = [2_010, 1_990].map((minutes) => ({ _time: minutesAgo(minutes), service: 'rare' }))
const ALERT = { name: 'alert', operator: 'Above', threshold: 0, intervalMinutes: 1, rangeMinutes: 5, datasets: ['web'] }
const NOTIFIER = { name: 'hook', properties: { webhook: { url: 'https://hooks.example.com/' } }, events: ['verdict', 'monitor'] }
const QUERY = { startTime: 'now-1h', endTime: 'now' }
const APL = '/v1/datasets/_apl?format=tabular&saveAsKind=apl'

{
  await using service = await startService({ dataDir: join(folder, 'data') })
  const send = (path: string, body: object) => make(service, path, body)
  await fill(service)
  await send('/v1/datasets/web/ingest', EVENTS)
  await send('/v1/datasets/rare/ingest', RARE)
  await ask(service, 'POST', '/v1/datasets/keyed/ingest', { body: KEYED, headers: { 'idempotency-key': KEY } })
  await send('/v2/datasets/web/mapfields', { name: 'labels' })
  await send('/v2/vfields', { dataset: 'web', name: 'failed', expression: 'status >= 500' })
  await send('/v2/annotations', { ...DEPLOY, datasets: ['rare'], service: 'rare', version: '1.0.0' })
  await send('/v2/annotations', { datasets: ['web'], type: 'deploy', title: 'open', open: true })
  await send('/v2/annotations', { ...DEPLOY, datasets: ['gone'], title: 'left' })
  await send('/v2/datasets', { name: 'gone' })
  await ask(service, 'DELETE', '/v2/datasets/gone')
  const { id } = await send('/v2/notifiers', { ...NOTIFIER, types: ['detected-release'] })
  for (const query of ["['web'] | where failed", "['_annotations'] | where verdict == 'inconclusive'"])
    await send('/v2/monitors', { ...ALERT, aplQuery: `${query} | summarize count()`, notifierIds: [id] })
  await send('/v2/saved-views', { ...QUERY, name: 'v', annotationsQuery: "['_annotations'] | where rolledBackBy != ''" })
  await send(APL, { ...QUERY, apl: "['_annotations'] | where type == 'detected-release'" })
  const list = async () => JSON.stringify((await ask(service, 'GET', '/v2/annotations?limit=1000&include=all')).body)
  while (!/"inconclusive".*"detected-release".*"verdict"/.test(await list())) await sleep(500)
  await move(['export', '--url', service.url, '--to', join(folder, 'out')], asOperator)
}
const { plan } = JSON.parse(readFileSync(join(folder, 'out/manifest.json'), 'utf8')) as { plan: { recordsVersion: string } }
const kept = `packages/service/__tests__/transfer/kept/${plan.recordsVersion}.tar.gz`
execFileSync('tar', ['--numeric-owner', '-czf', kept, '-C', join(folder, 'out'), '.'])
rmSync(folder, { recursive: true })
