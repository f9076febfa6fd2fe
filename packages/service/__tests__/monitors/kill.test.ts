/**
 * The service is killed again and again in the moments in which a monitor triggers and recovers.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { expect, test } from '@jest/globals'
import { runs, tried } from '../../../../__tests__/support/long.ts'
import { type RunningService, startService } from '../../../../__tests__/support/service.ts'
import { ask, MONITOR } from '../http.ts'
import { until } from './driven-service.ts'

/** Six are one at each of the moments between a decision and the next. */
const ROUNDS = tried(runs(6, 60))
/** It starts a service for each round, which takes long where others use the machine too. */
const BUSY_MS_MAX = ROUNDS * 50_000
/** A minute of the service takes 200 ms. */
const SPEED = 300
const MINUTE_MS = 60_000 / SPEED

test(
  'kill -9 neither doubles nor forgets a trigger, nor its end',
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'monitors-kill-'))
    const env = { FAST_CLOCK: `${Date.now()},${SPEED}` }
    const start = () => startService({ dataDir: folder.path, env, script: 'packages/service/__tests__/monitors/fast-service.ts' })
    const send = (service: RunningService, status = 500) =>
      ask(service, 'POST', '/v1/datasets/web/ingest', { body: [{ status }] })

    let service = await start()
    await send(service, 200)
    const body = { ...MONITOR, aplQuery: 'web | where status >= 500 | summarize count()', rangeMinutes: 2 }
    const created = await ask<Monitor>(service, 'POST', '/v2/monitors', { body })
    const path = `/v2/monitors/${created.body.id}`
    const stateOf = async () => (await ask<Monitor>(service, 'GET', path)).body.state
    const statuses: string[] = []
    let isOn = false
    let isOver = false
    const weather = (async () => {
      while (!isOver) {
        isOn = !isOn
        const until = performance.now() + 4 * MINUTE_MS
        while (performance.now() < until && !isOver) {
          if (isOn) await send(service).catch(() => undefined)
          await sleep(40)
        }
      }
    })()
    const statusesOf = ({ stderr }: RunningService) =>
      [...stderr.matchAll(/"event":"monitor".*"status":"(\w+)"/g)].map((match) => match[1] ?? '')
    for (let round = 0; round < ROUNDS; round++) {
      // The log tells of a decision once it is recorded; the next one is on its way.
      await until(async () => statusesOf(service)[0])
      await sleep((round % 6) * 4)
      await service.kill()
      statuses.push(...statusesOf(service))
      service = await start()
    }
    isOver = true
    await weather

    await until(async () => {
      await send(service)
      return (await stateOf()).status === 'triggered' || undefined
    })
    const last = await until(async () => {
      const state = await stateOf()
      return state.status === 'ok' ? state : undefined
    })
    const annotations = await until(async () => {
      const { body } = await ask<Annotation[]>(service, 'GET', '/v2/annotations')
      return body.at(-1)?.endTime ? body : undefined
    })
    await service.stop()

    // One span after the other, each with its end: none is there twice, and none was left open.
    for (const [index, { time, endTime }] of annotations.entries()) {
      expect(Date.parse(endTime ?? '')).toBeGreaterThan(Date.parse(time))
      expect(Date.parse(time)).toBeGreaterThanOrEqual(Date.parse(annotations[index - 1]?.endTime ?? time))
    }
    expect(annotations.at(-1)?.endTime).toBe(last.since)
    // Every trigger that was told of is there; the kills came at triggers and recoveries alike.
    expect(annotations.length).toBeGreaterThanOrEqual(statuses.filter((status) => status === 'triggered').length)
    expect(new Set(statuses)).toEqual(new Set(['ok', 'triggered']))
  },
  BUSY_MS_MAX,
)
