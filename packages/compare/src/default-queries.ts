/**
 * The default queries of a dataset: traffic, errors and latencies, as far as its fields say them (signs.ts). What the events of the
 * compared time have decides which fields are used, if it is known (presence.ts).
 */
import type { Unit } from '@deployment-annotations/contract/unit'
import type { NamedQuery } from './named-queries.ts'
import { describeBreak, type Presence } from './presence.ts'
import { DEFINED, type ErrorSign, isThere, type KnownField, type LatencySign, readErrorSigns, readLatencySigns } from './signs.ts'
import { showDots } from './usual-names.ts'

/** The events of a dataset. */
export interface Asked {
  /** The name for the queries. */
  name: string
  /** A query that may have filters. */
  source: string
  fields: readonly KnownField[]
  /** Without it, names and types of fields decide alone. */
  presence?: Presence | undefined
}

/** The metrics that the fields of a dataset allow. */
export interface Rates {
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
export function describeUnseen({ errors, latency }: Rates): string {
  const unseen = [
    !errors && `Errors are not looked at: no field says what failed. Define \`${DEFINED.failed[0]}\``,
    !latency && `Latency is not looked at: no field says how long it took. Define \`${DEFINED.latency}\``,
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
export function rateQueries(asked: Asked, bucket: string): NamedQuery[] {
  const { errors, latency } = findRates(asked)
  const { name, source } = asked
  const by = `by bin(_time, ${bucket})`
  const worse = { direction: 'higher-is-worse' } as const
  const queries: NamedQuery[] = []
  if (errors?.outOf !== undefined) {
    const apl = `${source}\n| where ${errors.outOf}\n| summarize failed = countif(${errors.failed}), requests = count() ${by}`
    queries.push({ name: `${name} errors`, apl, lack: errors.lack, ...worse })
  } else if (errors) {
    const apl = `${source}\n| summarize failed = countif(${errors.failed}) ${by}`
    queries.push({ name: `${name} errors`, apl, lack: errors.lack, ...worse })
  }
  if (latency) {
    const percentiles = [50, 95, 99].map((p) => `p${p} = ${percentileOf(latency, p)}`).join(', ')
    const { unit, lack } = latency
    queries.push({ name: `${name} ${latency.field}`, apl: `${source}\n| summarize ${percentiles} ${by}`, unit, lack, ...worse })
  }
  return queries
}

function chooseErrors(signs: readonly ErrorSign[], presence: Presence | undefined): Rates['errors'] {
  const [shares, counts] = presence ? chooseByPresence(signs, presence) : chooseByName(signs)
  const all = [...shares, ...counts]
  if (all.length === 0) return undefined
  const failed = anyOf(all.map((sign) => sign.failed))
  const sum = (conditions: readonly string[]) => conditions.reduce((total, one) => total + (presence?.of(one).before ?? 0), 0)
  // With more lines of errors than requests, a share of their sum would hide most of a change.
  const isShare = shares.length > 0 && sum(counts.map((sign) => sign.failed)) <= sum(saysOf(shares))
  const lack =
    presence &&
    describeBreak(
      all.filter(isBreakable).flatMap(inUse),
      signs.flatMap(({ fields }) => fields),
      presence,
    )
  return { failed, lack, ...(isShare && { outOf: anyOf([...saysOf(shares), ...counts.map((sign) => sign.failed)]) }) }

  function inUse({ fields }: ErrorSign): string[] {
    return fields.filter((field) => (presence?.of(isThere(field)).before ?? 0) > 0).slice(0, 1)
  }
  // A flag that only failures have goes with them.
  function isBreakable(sign: ErrorSign): boolean {
    return shares.includes(sign) || !sign.mayBeAlone
  }
}

const saysOf = (signs: readonly ErrorSign[]) => signs.flatMap(({ says }) => says ?? [])
const anyOf = (conditions: readonly string[]) => [...new Set(conditions)].join(' or ')

/** @returns the signs of which failures are a share, and those that count them */
function chooseByPresence(signs: readonly ErrorSign[], { of }: Presence): [ErrorSign[], ErrorSign[]] {
  const amount = (condition: string) => of(condition).before + of(condition).after
  const isShare = ({ says, failed, isStatus }: ErrorSign) =>
    says !== undefined && (isStatus ? amount(says) > 0 : amount(says) > amount(failed))
  const isCount = ({ hasLevel, failed, mayBeAlone }: ErrorSign) =>
    hasLevel === undefined ? mayBeAlone === true && amount(failed) > 0 : amount(hasLevel) > 0
  const shares = signs.filter(isShare)
  return [shares, signs.filter((sign) => !shares.includes(sign) && isCount(sign))]
}

function chooseByName(signs: readonly ErrorSign[]): [ErrorSign[], ErrorSign[]] {
  const [sure, unsure] = [signs.filter(({ isSure }) => isSure), signs.filter(({ isSure, says }) => !isSure && says !== undefined)]
  const isShare = ({ says }: ErrorSign) => says !== undefined
  return sure.length > 0 ? [sure.filter(isShare), sure.filter((sign) => !isShare(sign))] : [unsure.slice(0, 1), []]
}

function chooseLatency(signs: readonly LatencySign[], presence: Presence | undefined): Rates['latency'] {
  const [first] = signs
  if (!presence || !first) return first
  const { of } = presence
  const chosen = signs.find((one) => of(hasValue(one)).before > 0) ?? signs.find((one) => of(hasValue(one)).after > 0)
  const { field, value, unit, withUnit } = chosen ?? {}
  if (field === undefined || value === undefined) return undefined
  const lack = describeBreak(
    [field],
    signs.map((one) => one.field),
    presence,
  )
  const hasUnit = withUnit !== undefined && of(hasValue({ value: withUnit })).before + of(hasValue({ value: withUnit })).after > 0
  return { field: showDots(field), value: hasUnit ? withUnit : value, unit, lack }
}

const hasValue = ({ value }: Pick<LatencySign, 'value'>) => `isnotnull(${value})`

/** The conditions whose numbers of events decide which fields are used. */
export function decisive(fields: readonly KnownField[]): string[] {
  const [errors, latencies] = [readErrorSigns(fields), readLatencySigns(fields)]
  const there = [...errors.flatMap((sign) => sign.fields), ...latencies.map(({ field }) => field)].map(isThere)
  const ofErrors = errors.flatMap(({ failed, says, hasLevel }) => [failed, says ?? hasLevel ?? failed])
  const ofLatencies = latencies.flatMap(({ value, withUnit }) => [value, withUnit ?? value]).map((value) => hasValue({ value }))
  return [...there, ...ofErrors, ...ofLatencies]
}
