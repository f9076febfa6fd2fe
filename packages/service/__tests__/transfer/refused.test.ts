/**
 * What export and import refuse, and who may read what they write.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { folderForTests, serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { SECRET } from '../../../edge/__tests__/platforms/webhooks.ts'
import { RECORDS_VERSION } from '../../../records/src/migrations/migrations.ts'
import { VERSION } from '../../src/version.ts'
import { ask } from '../http.ts'
import { asOperator, chunkFiles, type Filled, fill, move, startCommand } from './moving.ts'

const parent = folderForTests('transfer')
let filled: Filled
const at = (name: string) => join(parent, name)

beforeAll(async () => {
  await using service = await startService({ dataDir: at('first') })
  filled = await fill(service)
  await move(['export', '--url', service.url, '--to', at('out')], asOperator)
})

async function refused(args: readonly string[], env = {}): Promise<string> {
  const { output, ended } = startCommand(args, env)
  expect({ code: await ended, stdout: output.stdout }).toEqual({ code: 1, stdout: '' })
  return output.stderr
}

test('a chunk that was damaged is named, and so is one that is missing; nothing can be used then', async () => {
  cpSync(at('out'), at('damaged'), { recursive: true })
  const [file = ''] = chunkFiles(at('damaged'))
  const whole = readFileSync(file)
  const damaged = Buffer.from(whole)
  damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] as number) ^ 1
  writeFileSync(file, damaged)
  const args = ['import', '--from', at('damaged'), '--data', at('target')]
  expect(await refused(args)).toContain(
    `error: ${file} is damaged: it is not as the export wrote it; nothing of it was imported\n`,
  )
  rmSync(file)
  expect(await refused(args)).toContain(`error: ${file} is missing\n`)
  expect(await refused(['--port', '0', '--data', at('target')])).toContain('an import into these records is not done')
  // Mended, it comes to its end.
  writeFileSync(file, whole)
  await move(args)
})

test('records that were changed in the export are named', async () => {
  cpSync(at('out'), at('changed'), { recursive: true })
  const file = at('changed/records/annotations.ndjson')
  writeFileSync(file, readFileSync(file, 'utf8').replace('deploy', 'depl0y'))
  expect(await refused(['import', '--from', at('changed'), '--data', at('target2')])).toContain(
    'error: the records annotations are not what was exported: ',
  )
})

test('an import needs an empty place', async () => {
  const args = ['import', '--from', at('out'), '--data', at('first')]
  expect(await refused(args)).toContain('error: an import needs an empty place, and there are records (annotations, ')
  await using service = await startService({ dataDir: at('first') })
  expect((await ask<unknown[]>(service, 'GET', '/v2/annotations?limit=1000')).body).toHaveLength(31)
})

test('an export of a newer version is refused, and which version reads it is said', async () => {
  cpSync(at('out'), at('newer'), { recursive: true })
  const file = at('newer/manifest.json')
  const { plan, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  expect(plan).toMatchObject({ program: VERSION, recordsVersion: RECORDS_VERSION })
  writeFileSync(file, JSON.stringify({ ...manifest, plan: { ...plan, program: '9.0.0+records.99', recordsVersion: '0099-new' } }))
  expect(await refused(['import', '--from', at('newer'), '--data', at('target4')])).toBe(
    `error: the export in ${at('newer')} was written by version 9.0.0+records.99 (0099-new), and this is version ${VERSION} (${RECORDS_VERSION}); install version 9.0.0+records.99 or later\n`,
  )
})

test('an export that is not finished is not imported, and one that is finished is left as it is', async () => {
  cpSync(at('out'), at('unfinished'), { recursive: true })
  const manifest = JSON.parse(readFileSync(at('unfinished/manifest.json'), 'utf8'))
  // An earlier version began it.
  const plan = { ...manifest.plan, recordsVersion: '0013-no-row-digests' }
  writeFileSync(at('unfinished/manifest.json'), JSON.stringify({ ...manifest, plan, finished: undefined }))
  const args = ['import', '--from', at('unfinished'), '--data', at('target3')]
  expect(await refused(args)).toContain('is not finished; run annotation-service export again, with the same --to')
  await move(['export', '--data', at('first'), '--to', at('unfinished')])
  await move(args)
  expect(await refused(['export', '--data', at('first'), '--to', parent])).toContain('is not empty, and has no export')
  const again = await move(['export', '--data', at('first'), '--to', at('out')])
  expect(again.stderr).toContain('has a finished export')
})

describe('beside the running service', () => {
  const service = serviceForTests({ dataDir: at('first') })

  test('a data directory in use is refused, and what to do is said', async () => {
    const said = await refused(['export', '--data', at('first'), '--to', at('never')])
    expect(said).toContain(`is in use by process ${service.pid}; stop it, or export from the running service with --url\n`)
  })

  test('only a personal token may export, and no key or token is written', async () => {
    const args = ['export', '--url', service.url, '--to', at('never')]
    expect(await refused(args, { ANNOTATION_SERVICE_TOKEN: filled.token })).toContain('answered 403')
    expect(await refused(args, { ANNOTATION_SERVICE_TOKEN: '' })).toContain('ANNOTATION_SERVICE_TOKEN')
    for (const path of ['/v2/export', '/v2/export/records', '/v2/export/events/events_0123456789?sysTimeNsMax=0&rowsMax=1']) {
      expect((await ask(service, 'GET', path, { token: filled.token })).status).toBe(403)
      expect((await ask(service, 'GET', path, { token: null })).status).toBe(401)
    }
    const files = readdirSync(at('out'), { recursive: true, withFileTypes: true })
    const key = readFileSync(at('first/encryption.key'), 'utf8').trim()
    for (const file of files) {
      const path = join(file.parentPath, file.name)
      expect(statSync(path).mode & 0o777).toBe(file.isDirectory() ? 0o700 : 0o600)
      if (file.isDirectory()) continue
      const text = readFileSync(path, 'latin1')
      for (const secret of [key, filled.token, SECRET, asOperator.ANNOTATION_SERVICE_TOKEN])
        expect(text.includes(secret)).toBe(false)
    }
  })
})

test('of two exports to one directory one is refused, and what a killed one leaves behind is in nobody’s way', async () => {
  mkdirSync(at('twice'))
  writeFileSync(at('twice/manifest.json.1.tmp'), '{')
  writeFileSync(at('twice/running'), String(process.pid))
  const args = ['export', '--data', at('first'), '--to', at('twice')]
  expect(await refused(args)).toContain(`error: process ${process.pid} is writing to ${at('twice')}`)
  const { child, ended } = startCommand(['--version'])
  await ended
  writeFileSync(at('twice/running'), String(child.pid))
  await move(args)
  expect(readdirSync(at('twice'))).not.toContain('running')
})
