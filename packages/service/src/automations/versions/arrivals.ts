/**
 * Which of the versions that were seen have arrived: they are new, or they are back. Pure.
 * Deliberately not here: what is made of it (version-marks.ts).
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { SeenVersion } from '@deployment-annotations/records/seen-version-records'
import type { VersionSpan } from './seen.ts'

export interface ReturnedVersion {
  seen: VersionSpan
  known: SeenVersion
  /** Its first event since. */
  sinceNs: bigint
  instead: SeenVersion
  /** It is older than the other one: that was rolled back. */
  isOlder: boolean
}

export interface VersionArrivals {
  /** Not known before. Without `isMarked` nothing was there before it, or too much comes at once. */
  fresh: { seen: VersionSpan; isMarked: boolean }[]
  /** Known ones that have taken the place of the one that came last. */
  back: ReturnedVersion[]
  /** Known ones of which an earlier event has come. */
  earlier: { seen: VersionSpan; known: SeenVersion }[]
}

/** Versions that begin together are a canary and the stable one beside it: neither is new. */
const TOGETHER_NS = 10n * UNIT_NS.s
/** Where the beginning is not looked at, two that were there before may show a first event this far apart. */
const UNSEEN_NS = UNIT_NS.h
/** So many new versions of one service an hour are releases; a field with more carries something else. */
const AN_HOUR_MAX = 6
/** One version has the place of another while it has so many times its events, in so many minutes with so many events at least. */
const RATIO = 2
const MINUTES_MIN = 3
const EVENTS_MIN = 10
/** What came longer ago is not rolled back: people use the one version at day and the other at night. */
const LATELY_NS = 3n * UNIT_NS.d

/** @param fromNs where the time that was looked at begins */
export function findArrivals(known: readonly SeenVersion[], seen: readonly VersionSpan[], fromNs: bigint): VersionArrivals {
  const arrivals: VersionArrivals = { fresh: [], back: [], earlier: [] }
  for (const place of new Set(seen.map(placeOf))) {
    const here = seen.filter((one) => placeOf(one) === place)
    const before = known.filter((one) => placeOf(one) === place)
    arrivals.fresh.push(...findFresh(before, here, fromNs))
    for (const one of here) {
      const same = before.find(({ version }) => version === one.version)
      if (same && one.firstNs < same.firstNs) arrivals.earlier.push({ seen: one, known: same })
    }
    const back = findBack(before, here)
    if (back) arrivals.back.push(back)
  }
  arrivals.fresh.sort((a, b) => Number(a.seen.firstNs - b.seen.firstNs))
  return arrivals
}

export const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

export const placeOf = ({ service, environment }: Pick<VersionSpan, 'service' | 'environment'>): string =>
  JSON.stringify([service, environment])

function findFresh(known: readonly SeenVersion[], seen: readonly VersionSpan[], fromNs: bigint): VersionArrivals['fresh'] {
  const fresh = seen.filter(({ version }) => !known.some((one) => one.version === version))
  fresh.sort((a, b) => Number(a.firstNs - b.firstNs))
  const beganNs = [...known, ...seen].map(({ firstNs }) => firstNs).sort(ascending)[0] ?? 0n
  const isCut = known.length === 0 && beganNs < fromNs + UNSEEN_NS
  const begunNs = beganNs + (isCut ? UNSEEN_NS : TOGETHER_NS)
  const marked = known.map(({ firstNs }) => firstNs)
  return fresh.map((one) => {
    const lately = marked.filter((ns) => ns <= one.firstNs && ns > one.firstNs - UNIT_NS.h).length
    marked.push(one.firstNs)
    return { seen: one, isMarked: one.firstNs > begunNs && lately < AN_HOUR_MAX }
  })
}

/** @returns the version that has taken the place of one that had come after it */
function findBack(known: readonly SeenVersion[], seen: readonly VersionSpan[]): ReturnedVersion | undefined {
  const there = known.flatMap((one) => {
    const now = seen.find(({ version }) => version === one.version)
    return now ? [{ known: one, seen: now }] : []
  })
  for (const { known: instead, seen: from } of there) {
    for (const { known: same, seen: to } of there.filter((one) => one.known.sinceNs < instead.sinceNs)) {
      const sinceNs = findTurn(from, to)
      const isLately = sinceNs && sinceNs > instead.sinceNs && sinceNs < instead.sinceNs + LATELY_NS
      if (isLately) return { seen: to, known: same, sinceNs, instead, isOlder: same.firstNs < instead.firstNs }
    }
  }
  return undefined
}

/** @returns the first event of `to` after the minutes that `from` had for itself, if all minutes since then are its own */
function findTurn(from: VersionSpan, to: VersionSpan): bigint | undefined {
  const eventsOf = ({ minutes }: VersionSpan, ns: bigint) => minutes.find(({ startNs }) => startNs === ns)?.events ?? 0
  const minutes = [...new Set([...from.minutes, ...to.minutes].map(({ startNs }) => startNs))].sort(ascending)
  const isOf = (one: VersionSpan, other: VersionSpan) => (ns: bigint) => eventsOf(one, ns) > RATIO * eventsOf(other, ns)
  const end = minutes.findLastIndex(isOf(from, to))
  const start = minutes.slice(0, end + 1).findLastIndex((ns) => !isOf(from, to)(ns)) + 1
  const turned = minutes.slice(end + 1)
  const isClear = (one: VersionSpan, other: VersionSpan, some: readonly bigint[]) =>
    some.filter(isOf(one, other)).length >= MINUTES_MIN && some.reduce((sum, ns) => sum + eventsOf(one, ns), 0) >= EVENTS_MIN
  if (end === -1 || !isClear(from, to, minutes.slice(start, end + 1)) || !isClear(to, from, turned)) return undefined
  return to.minutes.find(({ startNs }) => startNs === turned[0])?.firstNs ?? turned[0]
}
