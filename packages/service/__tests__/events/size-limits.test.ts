/**
 * Limits of what events may take up on disk: a real service that is filled, warns, refuses, and takes events again once there is room.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { type RunningService, runServiceCommand, startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { SizeWatch } from '../../../event-store/src/datasets/size-limits.ts'
import { createLog } from '../../../runtime/src/log.ts'
import { ask } from '../http.ts'
import { send } from './send.ts'

/** About as large on disk as it is here. */
const MEGABYTE = JSON.stringify(
  Array.from({ length: 1_000 }, () => ({
    _time: '2026-01-01T00:00:00Z',
    noise: Array.from({ length: 90 }, () => Math.random().toString(36).slice(2, 13)).join(''),
  })),
)
const MIB = 1_048_576

/** Sizes are looked at now and again. @returns the first answer that is not 200 */
async function fill(service: RunningService, dataset: string) {
  for (let i = 0; i < 60; i++) {
    const answer = await send(service, MEGABYTE, { dataset })
    if (answer.status !== 200) return answer
    await sleep(500)
  }
  throw new Error(`the dataset ${dataset} took 60 MB`)
}

test('a dataset at its limit is refused by name, others are not, and a trim makes room', async () => {
  await using service = await startService({ args: ['--dataset-size-max', '2'] })
  const refused = await fill(service, 'large')
  expect([refused.status, refused.body]).toEqual([
    507,
    {
      code: 507,
      message: expect.stringMatching(
        /^the dataset "large" takes up \d+(\.\d)? MiB on disk, and may take up 2 MiB \(--dataset-size-max\); nothing was stored\. Trim/,
      ),
    },
  ])
  expect(refused.headers.get('retry-after')).toBe('60')
  expect((await send(service, '[{"a":1}]', { dataset: 'small' })).status).toBe(200)
  const { body } = await ask<{ status: string; parts: object[] }>(service, 'GET', '/healthz', { token: null })
  expect(body.status).toBe('degraded')
  expect(body.parts).toContainEqual({
    name: 'size',
    status: 'degraded',
    message: '1 dataset has used up its limit and takes no more events',
  })
  await until('a warning', async () => /"event":"size","dataset":"large"/.test(service.stderr))
  expect(service.stderr).not.toContain('"dataset":"small"')

  expect((await ask(service, 'POST', '/v2/datasets/large/trim', { body: { maxDuration: '1h' } })).status).toBe(200)
  await until('room', async () => (await send(service, '[{"a":1}]', { dataset: 'large' })).status === 200)
  await until('health', async () => (await ask<{ status: string }>(service, 'GET', '/healthz')).body.status === 'ok')
}, 120_000)

test('all datasets together have a limit of their own', async () => {
  await using service = await startService({ args: ['--size-max', '2'] })
  expect((await fill(service, 'one')).body).toMatchObject({
    message: expect.stringMatching(/^all datasets together take up .* 2 MiB \(--size-max\); nothing was stored/),
  })
  expect((await send(service, '[{"a":1}]', { dataset: 'another' })).status).toBe(507)
  const stored = await ask<{ name: string }[]>(service, 'GET', '/v2/datasets')
  expect(stored.body.map(({ name }) => name)).toEqual(['one'])
}, 120_000)

test('a limit that comes near is a warning each time it does', async () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  let bytes = 89
  const limits = { datasetBytesMax: 100 * MIB }
  const datasets = { list: () => [{ name: 'web', table: 'events_1' }] }
  const watch = new SizeWatch({ limits, datasets, measure: async () => new Map([['events_1', bytes * MIB]]) })
  const look = async () => {
    const once = new AbortController()
    const running = watch.run(log, once.signal)
    once.abort()
    await running
    return [watch.judge()?.message, lines.length]
  }
  const near = '1 dataset comes near its limit'
  expect(await look()).toEqual([undefined, 0])
  bytes = 90
  expect([await look(), await look()]).toEqual([
    [near, 1],
    [near, 1],
  ])
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    level: 'warn',
    event: 'size',
    dataset: 'web',
    bytes: 90 * MIB,
    bytesMax: 100 * MIB,
  })
  bytes = 10
  expect(await look()).toEqual([undefined, 1])
  bytes = 100
  expect(await look()).toEqual([expect.stringContaining('takes no more events'), 2])
})

test.each([
  ['--dataset-size-max', { datasetBytesMax: 100 * MIB }],
  ['--size-max', { allBytesMax: 100 * MIB }],
])('%s refuses at the limit itself, and not a byte below it', async (flag, limits) => {
  let bytes = 0
  const web = { name: 'web', table: 'events_1' }
  const watch = new SizeWatch({ limits, datasets: { list: () => [web] }, measure: async () => new Map([['events_1', bytes]]) })
  const refusal = async (size: number) => {
    bytes = size
    await watch.refresh()
    return () => watch.requireRoom(web)
  }
  expect(await refusal(100 * MIB - 1)).not.toThrow()
  expect(await refusal(100 * MIB)).toThrow(`up 100 MiB on disk, and may take up 100 MiB (${flag})`)
})

test('a limit that is no number of MiB is refused', async () => {
  for (const size of ['0', '1.5', '2GiB', '-1']) {
    const { exitCode, stderr } = await runServiceCommand([`--size-max=${size}`])
    expect([size, exitCode, stderr]).toEqual([size, expect.any(Number), expect.stringContaining('It must be a number of MiB')])
    expect(exitCode).not.toBe(0)
  }
})
