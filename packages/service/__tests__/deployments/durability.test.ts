/**
 * What kill -9 leaves of webhooks under way: on the real service, and on records whose transactions fail, or never end.
 */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { ofEachTest } from '../../../../__tests__/support/for-tests.ts'
import { runs } from '../../../../__tests__/support/long.ts'
import { openTestRecords } from '../../../../__tests__/support/records.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { until } from '../../../../__tests__/support/until.ts'
import { deliver, genericEvent, makeIntegration, signGeneric } from '../../../edge/__tests__/platforms/webhooks.ts'
import { dyingRecords, failingRecords } from '../../../records/__tests__/faulty-records.ts'
import { listAnnotations } from '../../../records/src/annotations/annotation-lists.ts'
import type { Records } from '../../../records/src/database/records.ts'
import { list } from '../http.ts'
import { receiver, requestOf } from './receiver.ts'

const folder = ofEachTest(() => mkdtempDisposable(join(tmpdir(), 'deployments-durability-')))

/** It starts a service seven times, which takes long where others use the machine too. */
const BUSY_MS_MAX = 180_000

const START = '2026-03-01T12:00:00Z'
const END = '2026-03-01T12:05:00Z'

type Event = readonly [status: string, time: string]
const STARTED: Event = ['started', START]
const SUCCEEDED: Event = ['succeeded', END]
const FAILED: Event = ['failed', END]

test(
  'kill -9 while webhooks arrive: none acknowledged is lost, none is doubled, and a redelivery heals',
  async () => {
    const ROUNDS = runs(3, 6)
    const SENDERS = 8
    const acknowledged = new Map<string, { status: string; annotation: string }>()
    const begun = new Set<string>()

    for (let round = 0; round < ROUNDS; round++) {
      const service = await startService({ dataDir: folder.path })
      if (round === 0) await makeIntegration(service, 'generic', { title: '{version}' })
      const send = async (sender: number) => {
        for (let n = 0; ; n++) {
          const version = `${round}-${sender}-${n}`
          for (const [status, time] of [STARTED, SUCCEEDED]) {
            begun.add(version)
            const { body } = await deliver(
              service,
              'generic',
              signGeneric(genericEvent(status, time, { deployment: version, version })),
            )
            acknowledged.set(version, { status, annotation: body.annotation ?? '' })
          }
        }
      }
      const senders = Array.from({ length: SENDERS }, (_, sender) => send(sender).catch(() => undefined))
      // As much on a quick machine as on a slow one, and the kill at another moment each time.
      const enough = acknowledged.size + 3 * SENDERS
      await until('enough answers', () => acknowledged.size >= enough)
      await setTimeout(5 * round)
      await service.kill()
      await Promise.all(senders)
    }

    await using service = await startService({ dataDir: folder.path })
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * 2)
    const byTitle = async () => {
      const found = new Map<string, Annotation[]>()
      for (const one of (await list(service)).body) found.set(one.title ?? '', [...(found.get(one.title ?? '') ?? []), one])
      return found
    }
    let stored = await byTitle()
    for (const [version, { status, annotation }] of acknowledged) {
      expect(stored.get(version)?.map(({ id }) => id)).toEqual([annotation])
      if (status === 'succeeded') expect(stored.get(version)).toMatchObject([{ time: START, endTime: END }])
    }
    expect([...stored.values()].filter((annotations) => annotations.length > 1)).toEqual([])

    // The platform sends everything again that it got no answer to, and what it has sent before.
    const redeliver = async (version: string) => {
      for (const [status, time] of [SUCCEEDED, STARTED]) {
        const answer = await deliver(
          service,
          'generic',
          signGeneric(genericEvent(status, time, { deployment: version, version })),
        )
        expect(answer.status).toBe(200)
      }
    }
    const left = [...begun]
    const redeliverAll = async () => {
      for (let version = left.pop(); version !== undefined; version = left.pop()) await redeliver(version)
    }
    await Promise.all(Array.from({ length: SENDERS }, redeliverAll))
    stored = await byTitle()
    expect([...stored.keys()].sort()).toEqual([...begun].sort())
    for (const annotations of stored.values()) expect(annotations).toMatchObject([{ time: START, endTime: END }])
  },
  BUSY_MS_MAX,
)

const titled = async ({ read }: Records, version: string) =>
  (await listAnnotations(read, {}, { limit: 100 })).filter(({ title }) => title?.split(' ')[0] === version)
const kept = ({ read }: Records) => read.selectFrom('deployments').selectAll().execute()

const CASES: { what: string; before: Event[]; event: Event; next: Event }[] = [
  { what: 'the first event of a deployment', before: [], event: STARTED, next: SUCCEEDED },
  { what: 'the next one', before: [STARTED], event: SUCCEEDED, next: FAILED },
]
test.each(CASES)(
  '$what leaves nothing where its transaction fails, and a repeat or another event is as if it had never come',
  async ({ before, event, next }) => {
    await using opened = await openTestRecords(folder.path)
    const { records } = opened
    const failing = failingRecords(records)
    for (const healing of [event, next]) {
      const version = `${before.length}-${healing[0]}`
      for (const earlier of before) await receiver(records).receive('generic', requestOf(...earlier, version))
      const [annotations, rows] = [await titled(records, version), await kept(records)]
      failing.faults.failing = 1
      const received = receiver(failing.records).receive('generic', requestOf(...event, version))
      await expect(received).rejects.toThrow('no space left')
      expect(await titled(records, version)).toEqual(annotations)
      expect(await kept(records)).toEqual(rows)

      const { outcome } = await receiver(failing.records).receive('generic', requestOf(...healing, version))
      expect(outcome).toBe(before.length === 0 ? 'created' : 'changed')
      const found = await titled(records, version)
      expect(found).toHaveLength(1)
      expect(found[0]?.endTimeNs !== undefined).toBe(healing !== STARTED)
    }
  },
)

test.each([false, true])(
  'an event whose answer never left, committed: %s, is there once after its repeat',
  async (isCommitted) => {
    await using opened = await openTestRecords(folder.path)
    const { records } = opened
    const dying = dyingRecords(records, { after: 0, isCommitted })
    void receiver(dying.records).receive('generic', requestOf(...STARTED, 'v1'))
    await dying.dead
    expect(await titled(records, 'v1')).toHaveLength(isCommitted ? 1 : 0)
    const again = await receiver(records).receive('generic', requestOf(...STARTED, 'v1'))
    expect(again.outcome).toBe(isCommitted ? 'unchanged' : 'created')
    expect(await titled(records, 'v1')).toMatchObject([{ id: again.annotation }])
  },
)
