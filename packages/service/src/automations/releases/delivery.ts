/**
 * How well delivery goes: the four metrics of DORA, of releases and incidents. What each of them means stands in the contract's
 * schema, beside its member. Pure.
 */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import type { Delivery, Release, Releases } from '@deployment-annotations/contract/schemas/release'
import { endOf, hasHappened, startOf } from './stories.ts'

const DAY_MS = 86_400_000
const COMMITTED = /^committed:?\s+(\S+)\s*$/im

interface Range {
  startMs: number
  endMs: number
}

/** @returns the metrics of all releases together */
export function measureAll(releases: readonly Release[], incidents: readonly Annotation[], range: Range): Delivery {
  return { service: '', environment: '', ...measure(releases, incidents, range) }
}

/** @returns those of each service and environment; an incident counts for the services of whose datasets it is */
export function measureEach(releases: readonly Release[], incidents: readonly Annotation[], range: Range): Delivery[] {
  const places = groupBy(releases, ({ service, environment }) => JSON.stringify([service, environment]))
  return [...places].map(([place, of]) => {
    const [service, environment] = JSON.parse(place) as [string, string]
    const names = new Set(of.flatMap(({ annotation }) => annotation.datasets))
    const near = incidents.filter(({ datasets }) => datasets.some((name) => names.has(name)))
    return { service, environment, ...measure(of, near, range) }
  })
}

/** @returns what each day is charted by; a release counts on the day it began, and an incident too */
export function countDays(releases: readonly Release[], incidents: readonly Annotation[], range: Range): Releases['days'] {
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const days: string[] = []
  for (let ms = range.startMs; dayOf(ms) <= dayOf(range.endMs); ms += DAY_MS) days.push(dayOf(ms))
  const began = groupBy(releases, (release) => dayOf(startOf(release)))
  const happened = groupBy(incidents, ({ time }) => dayOf(Date.parse(time)))
  return days.map((day) => {
    const { deployments, failed, leadMs, restoreMs } = measure(began.get(day) ?? [], happened.get(day) ?? [], range)
    return { day, deployments, failed, leadMs, restoreMs }
  })
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** Whether it arrived, and was meant to be there. */
export const isDeployment = (release: Release): boolean =>
  hasHappened(release) && !release.isRollback && release.result !== 'running'
/** Whether it hurt, or did not arrive. */
export const hasFailed = (release: Release): boolean => !release.isRollback && (release.hurt || release.result === 'failed')

function measure(releases: readonly Release[], incidents: readonly Annotation[], { startMs, endMs }: Range) {
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
    failureRate: attempted === 0 ? null : Number((failed.length / attempted).toPrecision(3)),
    leadMs: medianOf(deployments.flatMap((one) => readLead(one) ?? [])),
    restoreMs: medianOf(restored),
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

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = 0, high = 0] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]]
  return sorted.length === 0 ? null : Math.round((low + high) / 2)
}
