/**
 * A full disk under each kind of write, the service ended in two ways, the disk freed, the service started again: whatever was
 * acknowledged is there, and every kind of write works again.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { type Answer, ask, created, MONITOR } from '../http.ts'
import { countEvents } from '../query/ask.ts'
import { mountSmallDisk, testOnSmallDisk } from './small-disk.ts'

const DISK_MIB = 160
/** No write may take longer, also where the engine would wait for room. */
const ANSWER_MS_MAX = 8_000
/** More than 6 MiB, so that they go through a staging table. */
const LARGE_COUNT = 20_000
const LARGE = JSON.stringify(Array.from({ length: LARGE_COUNT }, (_, i) => ({ i, pad: 'x'.repeat(400) })))
const RARE_MONITOR = { ...MONITOR, aplQuery: "['old'] | summarize count()", threshold: 1, intervalMinutes: 60 }

type Write = (service: RunningService, id: string) => Promise<Answer>

/** Each kind of write, on something of its own so that it can be done again after any other. */
const WRITES: Readonly<Record<string, Write>> = {
  'the first event of a dataset': (service) => ask(service, 'POST', '/v1/datasets/first/ingest', { body: [{ a: 1 }] }),
  'a dataset': (service) => ask(service, 'POST', '/v2/datasets', { body: { name: 'made', retentionDays: 30 } }),
  'an event': (service) => ask(service, 'POST', '/v1/datasets/old/ingest', { body: [{ a: 2 }] }),
  'many events': (service) => ask(service, 'POST', '/v1/datasets/old/ingest', { body: LARGE }),
  'a change of retention': (service) =>
    ask(service, 'PUT', '/v2/datasets/kept', { body: { useRetentionPeriod: true, retentionDays: 5 } }),
  'a trim': (service) => ask(service, 'POST', '/v2/datasets/trimmed/trim', { body: { maxDuration: '1s' } }),
  'the end of a dataset': (service) => ask(service, 'DELETE', '/v2/datasets/doomed'),
  'an annotation': (service) => ask(service, 'POST', '/v2/annotations', { body: { datasets: ['old'], type: 'deploy' } }),
  'a change of an annotation': (service, id) => ask(service, 'PUT', `/v2/annotations/${id}`, { body: { title: 'changed' } }),
  'a monitor': (service) => ask(service, 'POST', '/v2/monitors', { body: RARE_MONITOR }),
  'a token': (service) => ask(service, 'POST', '/v2/tokens', { body: { name: 'ci', permissions: ['query|read'] } }),
}

async function seed(service: RunningService): Promise<string> {
  for (const dataset of ['old', 'kept', 'trimmed', 'doomed']) {
    const body = Array.from({ length: 3 }, (_, i) => ({ i, _time: '2020-01-01T00:00:00Z' }))
    expect((await ask(service, 'POST', `/v1/datasets/${dataset}/ingest`, { body })).status).toBe(200)
    // Events that are in the log only could not be found on a full disk.
    expect(await countEvents(service, dataset)).toBe(3)
  }
  return (await created(service, { title: 'before' })).id
}

/** @returns the kinds of write that were acknowledged; none may take long, and those that failed say why */
async function writeAll(service: RunningService, id: string): Promise<string[]> {
  const acknowledged: string[] = []
  for (const [kind, write] of Object.entries(WRITES)) {
    const late = new AbortController()
    const answer = await Promise.race([write(service, id), sleep(ANSWER_MS_MAX, undefined, { signal: late.signal })])
    late.abort()
    if (!answer) throw new Error(`${kind} was not answered within ${ANSWER_MS_MAX} ms`)
    const { status, body } = answer
    if (status < 300) acknowledged.push(kind)
    else expect([kind, status, body]).toEqual([kind, 507, { code: 507, message: expect.stringContaining('the disk is full') }])
  }
  return acknowledged
}

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  testOnSmallDisk(`a full disk under every kind of write, then ${signal}: once there is room, everything works`, async () => {
    using disk = mountSmallDisk(DISK_MIB)
    const dataDir = join(disk.path, 'data')
    await using before = await startService({ dataDir })
    const id = await seed(before)
    disk.fill()
    const acknowledged = await writeAll(before, id)
    expect(acknowledged).toEqual([])
    expect((await ask<{ parts: object[] }>(before, 'GET', '/healthz')).body).toMatchObject({
      status: 'degraded',
      parts: expect.arrayContaining([{ name: 'disk', status: 'degraded', message: expect.stringContaining('it is full') }]),
    })
    expect(await countEvents(before, 'old')).toBe(3)
    await before.stop(signal)
    disk.free()

    await using after = await startService({ dataDir })
    expect((await ask(after, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
    for (const dataset of ['old', 'kept', 'trimmed', 'doomed']) expect(await countEvents(after, dataset)).toBe(3)
    expect((await ask(after, 'GET', `/v2/annotations/${id}`)).body).toMatchObject({ title: 'before' })
    expect((await ask(after, 'GET', '/v2/datasets/kept')).body).toMatchObject({ retentionDays: 0 })
    expect(await writeAll(after, id)).toEqual(Object.keys(WRITES))
    expect(await countEvents(after, 'old')).toBe(3 + 1 + LARGE_COUNT)
    expect(await countEvents(after, 'trimmed')).toBe(0)
    expect(await countEvents(after, 'first')).toBe(1)
  })
}

testOnSmallDisk('what makes room still works where nothing can be added, and the service starts there', async () => {
  using disk = mountSmallDisk(DISK_MIB)
  const dataDir = join(disk.path, 'data')
  await using before = await startService({ dataDir })
  const id = await seed(before)
  disk.fill(40 * 1_048_576)
  const acknowledged = await writeAll(before, id)
  expect(acknowledged).toEqual(expect.arrayContaining(['a change of retention', 'a trim', 'the end of a dataset']))
  for (const kind of ['a dataset', 'an event', 'many events']) expect(acknowledged).not.toContain(kind)
  await before.stop('SIGKILL')
  await using after = await startService({ dataDir })
  expect(await countEvents(after, 'old')).toBe(3)
  expect(await countEvents(after, 'trimmed')).toBe(0)
  expect((await ask(after, 'GET', '/v2/datasets/kept')).body).toMatchObject({ retentionDays: 5 })
})

interface Counted {
  status: { isPartial: boolean; messages: { code: string; msg: string }[] }
  tables: { columns: number[][] }[]
}

/** Rounds until the disk is full before what was just stored is in its table, which takes a moment. */
const ROUNDS_MAX = 100

testOnSmallDisk(
  'where the disk is full before events are in their table, queries are answered without them, and say so',
  async () => {
    using disk = mountSmallDisk(DISK_MIB)
    await using service = await startService({ dataDir: join(disk.path, 'data') })
    await seed(service)
    const body = { apl: "['old'] | summarize n = count()", startTime: '2000-01-01T00:00:00Z', endTime: 'now' }
    const count = () => ask<Counted>(service, 'POST', '/v1/datasets/_apl?format=tabular', { body })
    let stored = 3
    for (let round = 0; ; round++) {
      expect(round).toBeLessThan(ROUNDS_MAX)
      disk.fill(66 * 1_048_576)
      if ((await ask(service, 'POST', '/v1/datasets/old/ingest', { body: [{ round }] })).status === 200) stored++
      disk.fill(1_048_576)
      const { status, body: answer } = await count()
      expect([status, answer]).toEqual([200, expect.anything()])
      if (answer.status.isPartial) {
        expect(answer.tables[0]?.columns).toEqual([[stored - 1]])
        expect(answer.status.messages).toEqual([
          expect.objectContaining({ code: 'missing_events', msg: expect.stringContaining('the disk of the service is full') }),
        ])
        break
      }
      disk.free()
    }
    expect((await ask<{ parts: object[] }>(service, 'GET', '/healthz')).body.parts).toContainEqual({
      name: 'disk',
      status: 'degraded',
      message: 'it is full: nothing can be stored, and answers may lack the events of the moment before',
    })
    disk.free()
    expect((await count()).body).toMatchObject({ status: { isPartial: false, messages: [] }, tables: [{ columns: [[stored]] }] })
  },
)

testOnSmallDisk(
  'a disk that is full to the last byte: the service starts, answers what there is, and can make room',
  async () => {
    using disk = mountSmallDisk(DISK_MIB)
    const dataDir = join(disk.path, 'data')
    await using before = await startService({ dataDir })
    const id = await seed(before)
    await until('the room for a start is kept', () => existsSync(join(dataDir, 'reserve')))
    disk.fill()
    await before.stop('SIGKILL')
    disk.fill()

    await using after = await startService({ dataDir })
    expect((await ask(after, 'GET', '/healthz')).body).toMatchObject({ status: 'degraded' })
    expect((await ask(after, 'GET', `/v2/annotations/${id}`)).body).toMatchObject({ title: 'before' })
    expect([await countEvents(after, 'old'), (await WRITES['an event']?.(after, id))?.status]).toEqual([3, 507])
    expect((await WRITES['a trim']?.(after, id))?.status).toBe(200)
    expect((await WRITES['the end of a dataset']?.(after, id))?.status).toBe(204)
    expect(await countEvents(after, 'trimmed')).toBe(0)
    disk.free()
    expect((await WRITES['an event']?.(after, id))?.status).toBe(200)
  },
)

testOnSmallDisk('a new data directory on a full disk is refused, and made once there is room', async () => {
  using disk = mountSmallDisk(DISK_MIB)
  const dataDir = join(disk.path, 'data')
  disk.fill(1_048_576)
  await expect(startService({ dataDir })).rejects.toThrow(/the disk is full \([01] MiB are free, and 64 MiB are needed\)/)
  disk.free()
  await using service = await startService({ dataDir })
  expect((await ask(service, 'GET', '/healthz')).body).toMatchObject({ status: 'ok' })
})
