/**
 * How well delivery goes: the four metrics of DORA, of releases and incidents. What each of them means stands in the contract's
 * schema, beside its member. Pure.
 */
/// <reference lib="es2024.collection" />

import { medianOf } from '@deployment-annotations/compare/values'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { type Delivery, RELEASE_DAYS_MAX, type Release, type Releases } from '@deployment-annotations/contract/release'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import { environmentOf } from '../../wire/tags.ts'
import { endOf, hasHappened, startOf } from './stories.ts'

const DAY_MS = 86_400_000
const COMMITTED = /^committed:?\s+(\S+)\s*$/im

interface Range {
  startMs: number
  endMs: number
}

/** What is measured of a time. */
interface Period {
  releases: readonly Release[]
  incidents: readonly Annotation[]
}

/** @returns the metrics of all releases together */
export function measureAll(period: Period, range: Range): Delivery {
  return { service: '', environment: '', ...measure(period, range) }
}

/** @returns those of each service and environment; an incident that names no service counts for those of whose datasets it is */
export async function measureEach({ releases, incidents }: Period, range: Range): Promise<Delivery[]> {
  const places = Map.groupBy(releases, ({ service, environment }) => JSON.stringify([service, environment]))
  const incidentsIn = Map.groupBy(incidents, environmentOf)
  const measured: Delivery[] = []
  let sliceFrom = performance.now()
  for (const [place, of] of places) {
    sliceFrom = await endSlice(sliceFrom)
    const [service, environment] = JSON.parse(place) as [string, string]
    const names = new Set(of.flatMap(({ annotation }) => annotation.datasets))
    const isHere = ({ datasets, ...one }: Annotation) =>
      one.service ? one.service === service : datasets.some((name) => names.has(name))
    const near = (incidentsIn.get(environment) ?? []).filter(isHere)
    measured.push({ service, environment, ...measure({ releases: of, incidents: near }, range) })
  }
  return measured
}

/**
 * @returns what each day is charted by; a release counts on the day it began, and an incident too. If more than RELEASE_DAYS_MAX were asked for,
 *   the newest of those from the first release or incident until `nowMs`, or until the last one if that is later
 */
export function countDays({ releases, incidents }: Period, range: Range & { nowMs: number }): Releases['days'] {
  const began = Map.groupBy(releases, (release) => dayOf(startOf(release)))
  const happened = Map.groupBy(incidents, ({ time }) => dayOf(Date.parse(time)))
  let [first, last] = [dayOf(range.startMs), dayOf(range.endMs)]
  if (last - first >= RELEASE_DAYS_MAX) {
    const all = [...began.keys(), ...happened.keys()]
    last = Math.min(last, Math.max(dayOf(range.nowMs), ...all))
    first = Math.max(first, last - RELEASE_DAYS_MAX + 1, Math.min(...all))
  }
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => {
    const day = first + at
    const ofDay = { releases: began.get(day) ?? [], incidents: happened.get(day) ?? [] }
    const { deployments, failed, attempted, leadMs, restoreMs } = measure(ofDay, range)
    return { day: new Date(day * DAY_MS).toISOString().slice(0, 10), deployments, failed, attempted, leadMs, restoreMs }
  })
}

/** @returns the number of a day since 1970 */
const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

const isCounted = ({ isRollback, duplicateOf }: Release) => !isRollback && duplicateOf === undefined
/** Whether it arrived, was meant to be there, and is no duplicate. */
export const isDeployment = (release: Release): boolean =>
  hasHappened(release) && isCounted(release) && release.result !== 'running'
/** Whether it hurt, or did not arrive. */
export const hasFailed = (release: Release): boolean => isCounted(release) && (release.isHarmful || release.result === 'failed')

function measure({ releases, incidents }: Period, { startMs, endMs }: Range) {
  const deployments = releases.filter(isDeployment)
  const failed = releases.filter(hasFailed)
  const attempted = new Set([...deployments, ...failed]).size
  const days = Math.max(1, (endMs - startMs) / DAY_MS)
  const restored = [
    ...releases.flatMap(({ restoreMs }) => restoreMs ?? []),
    ...incidents.flatMap((one) => readRestore(one) ?? []),
  ]
  return {
    deployments: deployments.length,
    perDay: Number((deployments.length / days).toPrecision(3)),
    failed: failed.length,
    attempted,
    failureRate: attempted === 0 ? null : Number((failed.length / attempted).toPrecision(3)),
    leadMs: roundMedian(deployments.flatMap((one) => readLead(one) ?? [])),
    restoreMs: roundMedian(restored),
  }
}

/** @returns how long an incident went on, in milliseconds */
export function readRestore({ time, endTime }: Annotation): number | undefined {
  return endTime === undefined ? undefined : Date.parse(endTime) - Date.parse(time)
}

/** @returns the time from the commit to the end of the release, in milliseconds */
export function readLead(release: Release): number | undefined {
  const committedMs = Date.parse(COMMITTED.exec(release.annotation.description ?? '')?.[1] ?? '')
  const leadMs = endOf(release) - committedMs
  return leadMs >= 0 ? leadMs : undefined
}

const roundMedian = (values: readonly number[]) => (values.length === 0 ? null : Math.round(medianOf(values)))
