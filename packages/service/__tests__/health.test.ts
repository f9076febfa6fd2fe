/**
 * What `/healthz` judges, and that each fault is named there: a real service whose files are taken away, and parts that are asked
 * directly where a machine cannot be brought to it.
 */
import { mkdirSync, mkdtempDisposableSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '@deployment-annotations/contract/health'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../__tests__/support/for-tests.ts'
import { openTestRecords } from '../../../__tests__/support/records.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { deliver, genericEvent, makeIntegration, signGeneric } from '../../edge/__tests__/platforms/webhooks.ts'
import { insertRow } from '../../records/__tests__/insert-row.ts'
import { DividedShare } from '../../records/src/leases/shares.ts'
import { createLog } from '../../runtime/src/log.ts'
import { ClockCheck } from '../src/health/clock-check.ts'
import { DataDirectory } from '../src/health/data-directory.ts'
import { createOpenFilesCheck } from '../src/health/open-files.ts'
import { checkWaitingRequests } from '../src/health/waiting-requests.ts'
import { send } from './events/send.ts'
import { ask, create } from './http.ts'
import { startWithoutStore } from './in-process.ts'

const service = serviceForTests()

test('a service that is well says what it judged', async () => {
  const names = ['records', 'events', 'integrity', 'data', 'disk', 'fields', 'fileHandles', 'clock', 'automations', 'requests']
  expect((await ask(service, 'GET', '/healthz', { token: null })).body).toEqual({
    status: 'ok',
    parts: names.map((name) => ({ name, status: 'ok' })),
  })
})

test('a data directory that is taken away is named, and nothing is acknowledged that would be lost', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'annotation-service-'))
  const dataDir = folder.path
  await using lost = await startService({ dataDir })
  expect((await create(lost)).status).toBe(201)
  await makeIntegration(lost, 'generic')
  renameSync(dataDir, `${dataDir}-away`)
  mkdirSync(dataDir)
  // A request may have looked just before.
  await new Promise((resolve) => setTimeout(resolve, 600))
  const answers = [
    await ask(lost, 'GET', '/healthz', { token: null }),
    await create(lost),
    await send(lost, '[{"a":1}]'),
    await ask(lost, 'GET', '/v2/annotations'),
    await deliver(lost, 'generic', signGeneric(genericEvent('started', '2026-03-01T12:00:00Z'))),
  ]
  for (const { status, body } of answers)
    expect([status, body]).toEqual([503, { code: 503, message: expect.stringContaining('the data was deleted or replaced') }])
  expect(JSON.stringify(answers[0]?.body)).not.toContain(dataDir)
  rmSync(dataDir, { recursive: true })
  renameSync(`${dataDir}-away`, dataDir)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect((await ask(lost, 'GET', '/healthz', { token: null })).status).toBe(200)
})

test('the engine’s own files are looked at, too', async () => {
  const { path: dir } = mkdtempDisposableSync(join(tmpdir(), 'data-folder-'))
  mkdirSync(join(dir, 'engine'))
  const folder = new DataDirectory(dir)
  expect(folder.check()).toBeUndefined()
  rmSync(join(dir, 'engine'), { recursive: true })
  expect(folder.check()).toMatchObject({ status: 'failed' })
  rmSync(dir, { recursive: true })
  expect([folder.check(), await folder.checkDisk()]).toMatchObject([{ status: 'failed' }, undefined])
})

test('a dead engine is named, and its reason is in the log alone', async () => {
  await using server = await startWithoutStore({ check: () => Promise.reject(new Error('secret reason at http://db')) })
  const { status, body } = await ask(server, 'GET', '/healthz', { token: null })
  expect({ status, body }).toEqual({ status: 503, body: { code: 503, message: 'events: it cannot be read' } })
  expect(server.lines.join('')).toContain('secret reason')
})

test('a result from before a failure is not given again, however long the next one takes', async () => {
  let check = async (): Promise<undefined> => undefined
  await using server = await startWithoutStore({ check: () => check() })
  const status = async () => (await fetch(`${server.url}/readyz`)).status
  expect(await status()).toBe(200)
  check = () => Promise.reject(new Error('it is away'))
  expect(await status()).toBe(503)
  check = () => sleep(300).then(() => Promise.reject(new Error('it is still away')))
  expect(await status()).toBe(503)
})

test('monitors that nobody runs and releases that nobody judges are named', async () => {
  await using opened = await openTestRecords()
  const shareOf = (work: string) => Object.assign(new DividedShare(opened.records, work), { keep: () => undefined })
  const records = { ...opened.records, share: shareOf }
  await using server = await startWithoutStore({ over: records, check: async () => undefined, releaseTypes: ['deploy'] })
  const atMs = BigInt(Date.now() - 600_000)
  await records.transaction((db) => insertRow(db, 'monitors', { id: 'mon_1', next_run_ms: atMs }))
  await records.transaction((db) => insertRow(db, 'annotations', { id: 'ann_1', judge_at_ms: atMs }))
  const { body } = await ask<Health>(server, 'GET', '/healthz', { token: null })
  const message = 'monitors are 10 minutes late; verdicts are 10 minutes late'
  expect(body.parts).toContainEqual({ name: 'automations', status: 'degraded', message })
})

test('a clock that jumped is named for ten minutes, and logged once', async () => {
  const lines: string[] = []
  let [wall, steady] = [1_000_000, 0]
  const watch = new ClockCheck(() => wall, { log: createLog((line) => lines.push(line)), steady: () => steady })
  const pass = (ms: number, byMs = 0) => {
    steady += ms
    wall += ms + byMs
    return watch.result()
  }
  expect([pass(60_000), pass(60_000, 4_000)]).toEqual([undefined, undefined])
  const told = { status: 'degraded', message: expect.stringContaining('it jumped by -3600 s') }
  expect([pass(60_000, -3_600_000), pass(500_000)]).toEqual([told, told])
  expect(pass(200_000)).toBeUndefined()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', event: 'clock-jumped', seconds: -3_600 }])
  expect(pass(1, 86_400_000)).toMatchObject({ message: expect.stringContaining('+86400 s') })
})

test('a clock that differs from that of the records is named, and logged once', () => {
  const lines: string[] = []
  let aheadMs = 3_600_000
  const log = createLog((line) => lines.push(line))
  const watch = new ClockCheck(() => 10_000_000 + aheadMs, { log, steady: () => 0, shared: () => 10_000_000 })
  watch.result()
  expect(watch.result()).toEqual({ status: 'degraded', message: 'it is 3600 s ahead of that of the records' })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'clock-differs', aheadSeconds: 3_600 }])
  aheadMs = -5_000
  expect(watch.result()?.message).toContain('5 s behind')
})

test('a clock that jumps under a running server is seen by health', async () => {
  let byMs = 0
  await using server = await startWithoutStore({ check: async () => undefined, clock: () => Date.now() + byMs })
  expect(await ask(server, 'GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  byMs = 3_600_000
  expect(await ask(server, 'GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'degraded' } })
})

test('a queue in which requests wait for long is named, though the health does not stand in it', () => {
  const waiting = (ms: number) => ({ waiting: new Set([{ sinceMs: 0 }, { sinceMs: ms }]) })
  const judge = (ms: number) => checkWaitingRequests([waiting(ms)], ms)
  expect([checkWaitingRequests([{ waiting: new Set() }]), judge(900)]).toEqual([undefined, undefined])
  expect(judge(1_500)).toEqual({ status: 'degraded', message: 'they wait 2 s to be begun' })
  expect(judge(12_000)).toEqual({ status: 'failed', message: 'they wait 12 s to be begun' })
})

test('few file handles are named before there are none', () => {
  const judge = (open: number) => createOpenFilesCheck(() => ({ open, limit: 1_000 }))()
  expect([judge(900), judge(901)]).toEqual([undefined, { status: 'degraded', message: '901 of 1000 are in use' }])
  const exhausted = () => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  }
  expect(createOpenFilesCheck(exhausted)()).toEqual({ status: 'failed', message: 'there are none left' })
  expect(createOpenFilesCheck()()).toBeUndefined()
})
