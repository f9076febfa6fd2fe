/**
 * The default queries of a dataset: traffic, errors and latencies, as far as its fields say them (signs.ts). What the events of the
 * compared time have decides which fields are used, if it is known (presence.ts).
 */
import type { Unit } from '@deployment-annotations/contract/unit'
import type { NamedQuery } from './named-queries.ts'
import { describeBreak, type Presence } from './presence.ts'
import { type ErrorSign, isThere, type KnownField, type LatencySign, readErrorSigns, readLatencySigns } from './signs.ts'
import { findFields, showDots, USUAL_NAMES } from './usual-names.ts'

/** The new version and the old one, each with a query of its events. */
export type Versions = Readonly<Record<'began' | 'beside', { name: string; source: string }>>

/** The events of a dataset. */
export interface Asked {
  /** The name for the queries. */
  name: string
  /** A query that may have filters. */
  source: string
  fields: readonly KnownField[]
  /** Without it, names and types of fields decide alone. */
  presence?: Presence | undefined
  /** If a new version runs beside an old one. */
  versions?: Versions | undefined
}

/** The metrics that the fields of a dataset allow. */
interface Rates {
  /** `outOf` is the condition for events that say whether they failed. Without it failures are counted, and are no share. */
  errors?: { failed: string; outOf?: string; lack?: string | undefined }
  /** The expression for the duration; the unit if its name does not say it. */
  latency?: { field: string; value: string; unit?: Unit | undefined; lack?: string | undefined }
}

/** @param bucket length of a bucket, as written in queries */
export function defaultQueries(asked: Asked, bucket: string): NamedQuery[] {
  const { name, source } = asked
  const traffic = { name: `${name} traffic`, apl: `${source}\n| summarize requests = count() by bin(_time, ${bucket})` }
  const note = describeUnseen(findRates(asked))
  return [note === '' ? traffic : { ...traffic, note }, ...rateQueries(asked, bucket)]
}

/** Says what is not looked at, and what to do; '' if all is. */
function describeUnseen({ errors, latency }: Rates): string {
  const unseen = [
    !errors && 'Errors are not looked at: no field says what failed. Define `failed`',
    !latency && 'Latency is not looked at: no field says how long it took. Define `duration_ms`',
  ]
  return unseen.filter((text) => text !== false).join('. ')
}

/** If the source filters by the field of an error, it has only failed events or none, so that field says nothing. */
export function findRates({ source, fields, presence }: Omit<Asked, 'name'>): Rates {
  const filters = source.slice(source.indexOf('|') + 1 || source.length)
  const isFree = (sign: ErrorSign) => !sign.fields.some((field) => filters.includes(showDots(field)))
  const errors = chooseErrors(readErrorSigns(fields).filter(isFree), presence)
  const latency = chooseLatency(readLatencySigns(fields), presence)
  return { ...(errors && { errors }), ...(latency && { latency }) }
}

/** @returns an aggregation of a query */
export function percentileOf({ value }: { value: string }, rank: number): string {
  return `percentile(${value}, ${rank})`
}

/** The queries for errors and latencies of events that may have filters. */
function rateQueries(asked: Asked, bucket: string): NamedQuery[] {
  const { errors, latency } = findRates(asked)
  const { name, source, versions } = asked
  const by = `by bin(_time, ${bucket})`
  const worse = { direction: 'higher-is-worse' } as const
  const queries: NamedQuery[] = []
  if (errors) {
    const { failed, outOf, lack } = errors
    const [filter, total] = outOf === undefined ? ['', ''] : [`\n| where ${outOf}`, ', requests = count()']
    const question = `${name} errors`
    const aplOf = (from: string) => `${from}${filter}\n| summarize failed = countif(${failed})${total} ${by}`
    queries.push({ name: question, apl: aplOf(source), lack, ...worse })
    // Of failures alone nobody knows how much of the traffic each version has.
    if (versions && outOf !== undefined) {
      const { began, beside } = versions
      const other = { name: beside.name, apl: aplOf(beside.source) }
      queries.push({ name: `${question} of ${began.name}`, apl: aplOf(began.source), question, beside: other, lack, ...worse })
    }
  }
  if (latency) {
    const percentiles = [50, 95, 99].map((p) => `p${p} = ${percentileOf(latency, p)}`).join(', ')
    const { unit, lack } = latency
    queries.push({ name: `${name} ${latency.field}`, apl: `${source}\n| summarize ${percentiles} ${by}`, unit, lack, ...worse })
  }
  return queries
}

function chooseErrors(signs: readonly ErrorSign[], presence: Presence | undefined): Rates['errors'] {
  const countOf = (condition: string) => sumOf(presence?.of(condition))
  const amountsOf = ({ says, failed, isSure }: ErrorSign) =>
    presence ? { says: countOf(says), failed: countOf(failed) } : { says: Number(isSure), failed: 0 }
  const isShare = (sign: ErrorSign) => {
    const { says, failed } = amountsOf(sign)
    return sign.kind !== 'level' && says > (sign.kind === 'status' ? 0 : failed)
  }
  const isCount = (sign: ErrorSign) =>
    sign.kind === 'level' ? amountsOf(sign).says > 0 : sign.kind === 'flag' && amountsOf(sign).failed > 0
  const shares = signs.filter(isShare)
  const counts = signs.filter((sign) => !isShare(sign) && isCount(sign))
  // Without anything sure, and nothing known of the events, the first guess is asked.
  if (shares.length + counts.length === 0) shares.push(...(presence ? [] : signs.slice(0, 1)))
  const all = [...shares, ...counts]
  if (all.length === 0) return undefined
  const sum = (conditions: readonly string[]) => conditions.reduce((total, one) => total + (presence?.of(one).before ?? 0), 0)
  const [says, lines] = [shares.map((sign) => sign.says), counts.map((sign) => sign.failed)]
  // With more lines of errors than requests, a share of their sum would hide most of a change.
  const outOf = shares.length > 0 && sum(lines) <= sum(says) ? anyOf([...says, ...lines]) : undefined
  const isInUse = (field: string) => sum([isThere(field)]) > 0
  // A flag that only failures have goes with them.
  const used = all.filter(({ kind }) => kind !== 'flag' || outOf).flatMap(({ fields }) => fields.filter(isInUse).slice(0, 1))
  const known = signs.flatMap(({ fields }) => fields)
  const lack = presence && describeBreak(used, known, presence)
  return { failed: anyOf(all.map((sign) => sign.failed)), lack, ...(outOf !== undefined && { outOf }) }
}

const sumOf = (rate: { before: number; after: number } | undefined) => (rate ? rate.before + rate.after : 0)
const anyOf = (conditions: readonly string[]) => [...new Set(conditions)].join(' or ')

function chooseLatency(signs: readonly LatencySign[], presence: Presence | undefined): Rates['latency'] {
  if (!presence) return signs[0]
  const rateOf = (sign: LatencySign) => presence.of(hasValue(sign))
  const chosen = signs.find((sign) => rateOf(sign).before > 0) ?? signs.find((sign) => rateOf(sign).after > 0)
  if (!chosen) return undefined
  const { field, value, isBare } = chosen
  const unit = isBare !== undefined && sumOf(presence.of(isBare)) === 0 ? 'ms' : chosen.unit
  const known = signs.map((sign) => sign.field)
  return { field: showDots(field), value, unit, lack: describeBreak([field], known, presence) }
}

const hasValue = ({ value }: LatencySign) => `isnotnull(${value})`

/** The conditions whose numbers of events decide which fields are used. */
export function decisive(fields: readonly KnownField[]): string[] {
  const [errors, latencies] = [readErrorSigns(fields), readLatencySigns(fields)]
  const used = [...errors.flatMap((sign) => sign.fields), ...latencies.map(({ field }) => field)]
  const ofLatencies = latencies.flatMap((sign) => [hasValue(sign), ...(sign.isBare === undefined ? [] : [sign.isBare])])
  used.push(...findFields(fields, [...USUAL_NAMES.version, ...USUAL_NAMES.service]).map(({ name }) => name))
  return [...used.map(isThere), ...errors.flatMap(({ failed, says }) => [failed, says]), ...ofLatencies]
}
