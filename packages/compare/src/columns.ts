/**
 * Classifies the columns of an answer by their aggregation: `countif` beside `count()` is a share of it, either alone counts events, and
 * everything else is a measurement.
 */
import { type Unit, unitOfAggregation } from '@deployment-annotations/contract/unit'

interface Field {
  readonly name: string
  readonly type?: string | undefined
  /** Only our own service answers it, if all members are requested. */
  readonly unit?: Unit | undefined
  readonly agg?: { readonly name: string; readonly fields?: readonly string[] } | undefined
}

/** The members of a `tabular` answer's table that this package reads. Integers beyond 2^53 may have any type that `Number` takes. */
export interface AnsweredTable {
  readonly fields: readonly Field[]
  readonly groups: readonly { readonly name: string }[]
  readonly buckets?: { readonly field: string; readonly size: unknown } | undefined
  readonly columns: readonly (readonly unknown[])[]
  /** Starts of buckets, in milliseconds, for which no data was collected. They are left out; other buckets without a row are empty. */
  readonly unseen?: ReadonlySet<number>
}

/** A column whose numbers are compared. */
export interface JudgedColumn {
  name: string
  at: number
  kind: 'share' | 'count' | 'measurement'
  /** The unit, if the name of its field says it. */
  unit?: Unit
  /** For a share: the column with the total. */
  outOfAt?: number
  /** A `count()` without a share of it. */
  isBareCount: boolean
  /** Whether a bucket without a row means 0 and not a missing value. */
  isZeroWhereAbsent: boolean
}

export interface Columns {
  timeAt: number | undefined
  groupsAt: number[]
  judged: JudgedColumn[]
}

const COUNTS = ['count', 'countif']
const ZERO_WHERE_ABSENT: ReadonlySet<string> = new Set([...COUNTS, 'sum', 'sumif', 'distinct', 'distinctif', 'rate'])

/** Whether a bucket without a row means 0 for this aggregation. */
export function isZeroWhereAbsent(aggregation: string | undefined): boolean {
  return ZERO_WHERE_ABSENT.has(aggregation ?? '')
}

export function readColumns({ fields, groups, buckets, columns }: AnsweredTable): Columns {
  const timeName = buckets?.field ?? '_time'
  const groupNames = new Set(groups.map(({ name }) => name))
  const timeAt = fields.findIndex(({ name }) => name === timeName)
  const indexes = fields.map((_, at) => at)
  const isGroup = (at: number) => groupNames.has(fields[at]?.name ?? '')
  const aggregationOf = (at: number) => fields[at]?.agg?.name
  const groupsAt = indexes.filter((at) => at !== timeAt && isGroup(at))
  const numbersAt = indexes.filter((at) => at !== timeAt && !isGroup(at) && (columns[at] ?? []).every(isNumberOrNull))
  const outOfAt = numbersAt.find((at) => aggregationOf(at) === 'count')
  const hasParts = outOfAt !== undefined && numbersAt.some((at) => aggregationOf(at) === 'countif')
  const judged = numbersAt
    .filter((at) => !(hasParts && aggregationOf(at) === 'count'))
    .map((at): JudgedColumn => {
      const aggregation = aggregationOf(at)
      const isBareCount = aggregation === 'count'
      const common = { name: fields[at]?.name ?? '', at, isBareCount, isZeroWhereAbsent: isZeroWhereAbsent(aggregation) }
      if (hasParts && aggregation === 'countif') return { ...common, kind: 'share', outOfAt }
      if (COUNTS.includes(aggregation ?? '')) return { ...common, kind: 'count' }
      const unit = unitOf(fields[at])
      return { ...common, kind: 'measurement', ...(unit && { unit }) }
    })
  return { timeAt: timeAt === -1 ? undefined : timeAt, groupsAt, judged }
}

/** Timespans are answered in nanoseconds. */
function unitOf(field: Field | undefined): Unit | undefined {
  return field?.type === 'timespan' ? 'ns' : (field?.unit ?? unitOfAggregation(field?.agg))
}

/** @returns `undefined` if it is no number */
export function toNumber(value: unknown): number | undefined {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'string') return undefined
  const number = Number(value)
  return Number.isNaN(number) ? undefined : number
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || toNumber(value) !== undefined
}
