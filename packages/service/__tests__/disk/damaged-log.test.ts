/**
 * A write-ahead log that was damaged between two runs of the service: what may be missing is said by the log, the health and the metrics,
 * and whoever sends a request again with its key has it stored.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { send } from '../events/send.ts'
import { ask } from '../http.ts'
import { countEvents } from '../query/ask.ts'

const REQUESTS = 18

const sendOne = (service: RunningService, i: number) =>
  send(service, JSON.stringify([{ i }, { i }, { i }]), { headers: { 'idempotency-key': `key-${i}` } })

const figureOf = async (service: RunningService, name: string) =>
  (await ask<string>(service, 'GET', '/metrics')).body.split('\n').find((line) => line.startsWith(`${name} `))

/** @returns the data of a service that was killed with acknowledged requests in its log */
async function killed(): Promise<{ dataDir: string; path: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'damaged-log-'))
  const service = await startService({ dataDir })
  await sendOne(service, 0)
  await countEvents(service, 'web')
  const answers = await Promise.all(Array.from({ length: REQUESTS - 1 }, (_, i) => sendOne(service, i + 1)))
  await service.kill()
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const name = readdirSync(join(dataDir, 'write-ahead')).find((one) => one.endsWith('.log')) as string
  return { dataDir, path: join(dataDir, 'write-ahead', name) }
}

test('a flipped byte is named, counted, and mended by whoever sends the request again with its key', async () => {
  const { dataDir, path } = await killed()
  const bytes = readFileSync(path)
  const at = bytes.lastIndexOf('{"table":"')
  bytes[at + 30] = (bytes[at + 30] as number) ^ 1
  writeFileSync(path, bytes)

  const service = await startService({ dataDir })
  const message = '1 acknowledged request may be missing: the write-ahead log was damaged'
  expect((await ask<{ parts: object[] }>(service, 'GET', '/healthz', { token: null })).body).toMatchObject({
    status: 'degraded',
    parts: expect.arrayContaining([{ name: 'integrity', status: 'degraded', message }]),
  })
  expect(await figureOf(service, 'annotation_service_missing{kind="requests"}')).toContain(' 1')
  const named = service.stderr.split('\n').find((line) => line.includes('"event":"damaged"')) ?? '{}'
  expect(JSON.parse(named)).toMatchObject({ level: 'warn', path, offset: expect.any(Number) })
  expect(await countEvents(service, 'web')).toBe(3 * (REQUESTS - 1))
  for (let i = 0; i < REQUESTS; i++) expect(await sendOne(service, i)).toMatchObject({ status: 200, body: { ingested: 3 } })
  expect(await countEvents(service, 'web')).toBe(3 * REQUESTS)
  await service.stop()

  // Whoever has dealt with it deletes the note.
  const again = await startService({ dataDir })
  expect((await ask(again, 'GET', '/healthz')).body).toMatchObject({ status: 'degraded' })
  await again.stop()
  rmSync(join(dataDir, 'damaged'), { recursive: true })
  const well = await startService({ dataDir })
  expect((await ask(well, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
  await well.stop()
  rmSync(dataDir, { recursive: true })
})

test('a repeat adds nothing where its events were trimmed, and nothing to a dataset that was made anew', async () => {
  const { dataDir } = await killed()
  const service = await startService({ dataDir })
  expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
  expect((await ask(service, 'POST', '/v2/datasets/web/trim', { body: { maxDuration: '1s' } })).status).toBe(200)
  const left = await countEvents(service, 'web')
  for (let i = 0; i < REQUESTS; i++) expect((await sendOne(service, i)).status).toBe(200)
  expect(await countEvents(service, 'web')).toBe(left)
  await ask(service, 'DELETE', '/v2/datasets/web')
  expect((await sendOne(service, 1)).body.ingested).toBe(3)
  expect(await countEvents(service, 'web')).toBe(0)
  await service.stop()
  rmSync(dataDir, { recursive: true })
})
