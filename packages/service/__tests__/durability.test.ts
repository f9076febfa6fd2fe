import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { ofEachTest } from '../../../__tests__/support/for-tests.ts'
import { runs } from '../../../__tests__/support/long.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { until } from '../../../__tests__/support/until.ts'
import { openEmbeddedEngine } from '../../event-store/src/embedded/embedded-engine.ts'
import { ask, change, create, created, list, remove, VALID } from './http.ts'

const folder = ofEachTest(() => mkdtempDisposable(join(tmpdir(), 'annotation-durability-')))

test('a restart keeps creates, changes, deletes and idempotency keys', async () => {
  const headers = { 'Idempotency-Key': 'before the restart' }
  let before: Annotation[]
  {
    await using service = await startService({ dataDir: folder.path })
    await create(service, { title: 'kept' }, { headers })
    const { id } = await created(service, { title: 'changed' })
    await change(service, id, { endTime: '2099-01-01T00:00:00.000000001Z', url: 'u' })
    await remove(service, (await created(service, { title: 'deleted' })).id)
    before = (await list(service)).body
    expect(before.map(({ title }) => title)).toEqual(['kept', 'changed'])
    expect(await service.stop()).toEqual({ exitCode: 0, signal: null })
  }
  await using service = await startService({ dataDir: folder.path })
  expect((await list(service)).body).toEqual(before)
  expect((await create(service, { title: 'kept' }, { headers })).body).toEqual(before[0])
  expect((await list(service)).body).toEqual(before)
})

test('whatever was acknowledged survives kill -9 under load', async () => {
  const ROUNDS = runs(2, 5)
  const WRITERS = 8
  // What the service acknowledged last of each annotation; `undefined` is a delete. What was asked for and not acknowledged
  // may or may not have happened.
  const acknowledged = new Map<string, Annotation | undefined>()
  const uncertain = new Map<string, (Partial<Annotation> | 'deleted')[]>()
  const unanswered = new Set<string>()

  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ dataDir: folder.path })
    const write = async (writer: number) => {
      for (let n = 0; ; n++) {
        const title = `${round}/${writer}/${n}`
        const headers = { 'Idempotency-Key': title }
        unanswered.add(title)
        const { body } = await create(service, { title }, { headers })
        unanswered.delete(title)
        acknowledged.set(body.id, body)
        if (n % 3 === 1) {
          uncertain.set(body.id, [{ url: title }])
          const changed = await change(service, body.id, { url: title })
          acknowledged.set(body.id, changed.body)
          uncertain.delete(body.id)
        }
        if (n % 3 === 2) {
          uncertain.set(body.id, ['deleted'])
          await remove(service, body.id)
          acknowledged.set(body.id, undefined)
          uncertain.delete(body.id)
        }
      }
    }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer).catch(() => undefined))
    // As much on a quick machine as on a slow one, and the kill at another moment each time.
    const enough = acknowledged.size + 12 * WRITERS
    await until('enough answers', () => acknowledged.size >= enough)
    await setTimeout(7 * round)
    await service.kill()
    await Promise.all(writers)
  }

  await using service = await startService({ dataDir: folder.path })
  const stored = new Map((await list(service)).body.map((annotation) => [annotation.id, annotation]))
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * WRITERS)
  for (const [id, annotation] of acknowledged) {
    const attempts = uncertain.get(id) ?? []
    const possible = [
      annotation,
      ...attempts.map((attempt) => (attempt === 'deleted' ? undefined : { ...annotation, ...attempt })),
    ]
    expect(possible).toContainEqual(stored.get(id))
  }
  for (const { id, title } of stored.values()) if (!acknowledged.has(id)) expect(unanswered).toContain(title)

  // Whoever was not answered asks again with the same key: each is there once in the end.
  await Promise.all([...unanswered].map((title) => create(service, { title }, { headers: { 'Idempotency-Key': title } })))
  const titles = (await list(service)).body.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  for (const title of unanswered) expect(titles).toContain(title)
}, 240_000)

test('every table syncs what it acknowledges, against a power cut', async () => {
  {
    await using service = await startService({ dataDir: folder.path })
    await ask(service, 'POST', '/v1/datasets/web/ingest', { body: [{ event: 1 }] })
    await service.stop()
  }
  const engine = openEmbeddedEngine(join(folder.path, 'engine'))
  const tables = await engine.select<{ name: string; engine_full: string }>(
    'SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() ORDER BY name',
  )
  await engine.close()
  // What says whose the events are has no rows.
  const withRows = tables.filter(({ name }) => !name.startsWith('records_'))
  expect(withRows.map(({ name }) => name)).toEqual([expect.stringMatching(/^events_/), 'schema_versions'])
  for (const { name, engine_full } of withRows) {
    expect([name, engine_full]).toEqual([name, expect.stringMatching(/fsync_after_insert = 1, fsync_part_directory = 1/)])
  }
})

test('a stop lets a request under way end, and accepts no more', async () => {
  await using service = await startService({ dataDir: folder.path })
  const body = JSON.stringify({ ...VALID, title: 'under way' })
  const half = request(`${service.url}/v2/annotations`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', 'content-length': body.length },
  })
  const answered = once(half, 'response') as Promise<[IncomingMessage]>
  half.write(body.slice(0, 10))
  await setTimeout(300)
  const ended = service.stop()
  const isRefused = () =>
    ask(service, 'GET', '/healthz').then(
      () => false,
      () => true,
    )
  await until('that no more is accepted', isRefused)
  half.end(body.slice(10))
  const [answer] = await answered
  answer.resume()
  expect(answer.statusCode).toBe(201)
  expect(await ended).toEqual({ exitCode: 0, signal: null })

  await using again = await startService({ dataDir: folder.path })
  expect((await list(again)).body).toMatchObject([{ title: 'under way' }])
})
