/**
 * The short form of `bench/crowd.ts`, judged by what is answered and not by time: hundreds at once are served or told when to come again,
 * nothing that was acknowledged is missing, and afterwards all is as before.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { startService } from '../../../__tests__/support/service.ts'
import { askOnce, lookAtCharts, prepareCrowd, runCrowd, watchHealth } from '../../../bench/support/crowd.ts'
import { ask } from './http.ts'

test('a crowd is served or told when to come again, and so are people with a chart each', async () => {
  await using service = await startService()
  const prepared = await prepareCrowd(service)
  const { value, health } = await watchHealth(service, () => runCrowd(service, 200, 1))
  const { answers, acknowledged } = value
  expect(answers).toHaveLength(200)
  const unmeant = answers.filter(({ status }) => ![200, 201, 429, 503].includes(status))
  expect(unmeant).toEqual([])
  for (const { status, retryAfterS } of answers)
    expect([status, retryAfterS]).toEqual([status, status > 201 ? expect.any(Number) : undefined])
  expect(health.filter(({ status }) => status !== 200)).toEqual([])

  const body = { apl: "['crowd'] | count", startTime: '2026-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' }
  const counted = await ask<{ tables: { columns: number[][] }[] }>(service, 'POST', '/v1/datasets/_apl?format=tabular', { body })
  expect(counted.body.tables[0]?.columns[0]).toEqual([prepared + acknowledged])
  for (const { kind, status, text } of await askOnce(service))
    expect([kind, status < 300, text]).toEqual([kind, true, expect.any(String)])

  // On a slow machine some come again once.
  let waiting = 100
  for (let round = 0; waiting > 0 && round < 10; round++) {
    const charts = await lookAtCharts(service, waiting)
    for (const { status, text } of charts) expect([[200, 429, 503].includes(status), text]).toEqual([true, expect.any(String)])
    waiting = charts.filter(({ status }) => status !== 200).length
    if (waiting > 0) await sleep(1_000)
  }
  expect(waiting).toBe(0)
}, 300_000)
