/**
 * The server on a socket in this process, over real records and the real embedded engine, with a clock that the test drives.
 * Both stay open over the tests of a file, so a second server over them is a restart: it knows nothing but what was stored.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { Monitor, MonitorState, NewMonitor } from '@deployment-annotations/contract/monitor'
import { sharedByTests } from '../../../../__tests__/support/for-tests.ts'
import { TEST_TOKEN } from '../../../../__tests__/support/service.ts'
import type { EventStore } from '../../../event-store/src/event-store.ts'
import { openStore } from '../../../event-store/src/open-store.ts'
import type { Reader } from '../../../event-store/src/reading/reader.ts'
import type { Records } from '../../../records/src/database/records.ts'
import { openRecords } from '../../../records/src/open-records.ts'
import { createLog } from '../../../runtime/src/log.ts'
import type { ServerOptions } from '../../src/parts.ts'
import { ask, MONITOR, make } from '../http.ts'
import { buildTestServer } from '../in-process.ts'
import { ingest } from '../query/ask.ts'
import { createDrivenClock } from './driven-clock.ts'

export const MINUTE = 60_000
/** Noon of some day. */
export const START_MS = Date.UTC(2026, 0, 31, 12)

export interface Room {
  dataDir: string
  records: Records
  events: EventStore
  clock: ReturnType<typeof createDrivenClock>
  close(): Promise<void>
}

/** Open records and an open store, and the clock that everything over it shares. */
export async function openRoom(startMs = START_MS): Promise<Room> {
  const dataDir = mkdtempSync(join(tmpdir(), 'monitors-'))
  const clock = createDrivenClock(startMs)
  const records = await openRecords(dataDir)
  const events = await openStore({ directory: join(dataDir, 'engine') }, records, { fieldsMax: 100, clock: clock.now })
  return {
    dataDir,
    records,
    events,
    clock,
    async close() {
      await events.close()
      await records.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** @returns a room for all tests of the file */
export const roomForTests = (startMs = START_MS) =>
  sharedByTests(
    () => openRoom(startMs),
    (room) => room.close(),
  )

/** What a server may have that is not the room's. */
interface DifferentParts {
  records?: Records
  reader?: Reader
  /** By default none: releases are not what these tests are about. */
  releaseTypes?: string[]
  versionFields?: string[]
  notifications?: ServerOptions['notifications']
  metricSources?: ServerOptions['metricSources']
  dataDir?: string
}

let requestsSoFar = 0

/** @param different from the room's, for example records that fail */
export async function startDriven({ records, events, clock }: Room, different: DifferentParts = {}) {
  const lines: string[] = []
  // No two requests have the same.
  const nextTime = () => String(BigInt(clock.now()) * 1_000_000n + BigInt(++requestsSoFar))
  const app = await buildTestServer({
    records: different.records ?? records,
    // Without upkeep, whose transactions would be counted by who counts them.
    events: { ...events, ...(different.reader && { reader: different.reader }), upkeep: {}, requestTimes: { next: nextTime } },
    log: createLog((line) => lines.push(line)),
    clock,
    ...(different.releaseTypes && { releaseTypes: different.releaseTypes }),
    ...(different.versionFields && { versionFields: different.versionFields }),
    ...(different.notifications && { notifications: different.notifications }),
    ...(different.metricSources && { metricSources: different.metricSources }),
    ...(different.dataDir !== undefined && { dataDir: different.dataDir }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const target = { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, token: TEST_TOKEN }
  const wholeOf = async (id: string) => (await ask<Annotation>(target, 'GET', withAllMembers(`/v2/annotations/${id}`))).body
  const stateOf = async (id: string) => (await ask<Monitor>(target, 'GET', `/v2/monitors/${id}`)).body.state
  return {
    ...target,
    /** All lines of the log. */
    lines,
    /** The lines of monitors in the log. */
    get log() {
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event === 'monitor')
    },
    createMonitor: (members: Partial<NewMonitor> & { aplQuery: string }) =>
      make<Monitor>(target, '/v2/monitors', { ...MONITOR, ...members }),
    list: async () => (await ask<Monitor[]>(target, 'GET', '/v2/monitors')).body,
    change: (id: string, members: object) => ask<Monitor>(target, 'PUT', `/v2/monitors/${id}`, { body: members }),
    stateOf,
    /** The state once the run at this time is through. */
    async ranAt(id: string, atMs: number): Promise<MonitorState> {
      const lastRun = new Date(atMs).toISOString().replace('.000Z', 'Z')
      return until(async () => {
        const state = await stateOf(id)
        return state.lastRun === lastRun ? state : undefined
      })
    },
    /** An annotation with all members. */
    wholeOf,
    /** The annotation once it has a verdict, and one that is wanted, while the time passes. */
    judged: (id: string, isWanted: (one: Annotation) => boolean = () => true) =>
      until(async () => {
        const one = await wholeOf(id)
        if (one.verdict !== undefined && isWanted(one)) return one
        clock.advance(1_000)
        return undefined
      }, 100_000),
    /** Lets time pass, a minute at a time, so that everything that is due runs when it is. */
    async pass(minutes: number): Promise<void> {
      for (let minute = 0; minute < minutes; minute++) {
        clock.advance(MINUTE)
        await sleep(30)
      }
    },
    ingest: (dataset: string, events: readonly object[]) => ingest(target, dataset, events),
    annotationsOf: async (dataset: string) =>
      (await ask<Annotation[]>(target, 'GET', `/v2/annotations?datasets=${dataset}`)).body,
    /** Ends this server, and leaves the store. */
    stop: () => app.close(),
    /** For a server whose writes hang, as those of a dead process would: it ends once they do. @param end lets them fail */
    async abandon(end: () => void) {
      const closed = app.close()
      app.server.closeAllConnections()
      end()
      await closed
    },
    /** Ends this server and removes its monitors, for the next test. */
    async [Symbol.asyncDispose]() {
      const { body } = await ask<Monitor[]>(target, 'GET', '/v2/monitors')
      for (const { id } of body) await ask(target, 'DELETE', `/v2/monitors/${id}`)
      await app.close()
    },
  }
}

/** What the question answers once it is not `undefined`. */
export async function until<T>(question: () => Promise<T | undefined>, msMax = 10_000): Promise<T> {
  for (const from = performance.now(); ; ) {
    const answer = await question()
    if (answer !== undefined) return answer
    if (performance.now() - from > msMax) throw new Error(`it did not happen within ${msMax} ms`)
    await sleep(5)
  }
}

export const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
