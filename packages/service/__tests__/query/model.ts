/**
 * A plain model of events and queries in memory, and random ones for it: each query is written as a query text, as a legacy body,
 * and evaluated here. Deliberately small: what is random is the data, the filter, the grouping and the page size.
 */
import fc from 'fast-check'

export interface ModelEvent {
  /** Nanoseconds after the start of 2026. */
  ns: number
  data: Data
}

type Scalar = number | string | boolean
export interface Data {
  /** Always there. */
  i: number
  f?: number
  s?: string
  b?: boolean
  /** Of two types. */
  u?: number | string
  geo?: { city?: string; 'x.y'?: number }
  list?: (number | string | null)[]
}

export type Filter =
  | { op: '==' | '!=' | '<' | '<=' | '>' | '>='; field: keyof typeof FIELDS; value: Scalar }
  | { op: 'contains' | 'starts-with' | 'ends-with'; field: 's' | 'geo.city'; value: string }
  | { op: 'exists' | 'not-exists'; field: keyof typeof FIELDS }
  | { op: 'and' | 'or' | 'not'; children: Filter[] }

const WORDS = ['a', 'B', 'ab', 'Ab', "it's", 'a\\b', '', 'ü', '"', '\n', '{p0:String}', '%2E']
const word = fc.constantFrom(...WORDS)
const integer = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(2 ** 40, -(2 ** 53) + 1))
/** Quarters: sums of these are exact. */
const quarter = fc.integer({ min: -12, max: 12 }).map((n) => n / 4 + 0.125)

const FIELDS = {
  i: { value: integer, get: ({ i }: Data) => i },
  f: { value: quarter, get: ({ f }: Data) => f },
  s: { value: word, get: ({ s }: Data) => s },
  b: { value: fc.boolean(), get: ({ b }: Data) => b },
  u: { value: fc.oneof(integer, fc.constantFrom('one', 'two')), get: ({ u }: Data) => u },
  'geo.city': { value: word, get: ({ geo }: Data) => geo?.city },
  'geo.x\\.y': { value: integer, get: ({ geo }: Data) => geo?.['x.y'] },
} as const

const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 3 })

/** The first has every field, so that each is known. */
const WHOLE: ModelEvent = { ns: 0, data: { i: 0, f: 0.125, s: 'a', b: true, u: 'one', geo: { city: 'a', 'x.y': 1 }, list: [1] } }

export const EVENTS: fc.Arbitrary<ModelEvent[]> = fc
  .array(
    fc.record({
      ns: fc.nat(12),
      data: fc.record({
        i: integer,
        f: optional(quarter),
        s: optional(word),
        b: optional(fc.boolean()),
        u: optional(FIELDS.u.value),
        geo: optional(fc.record({ city: optional(word), 'x.y': optional(integer) })),
        list: optional(fc.array(fc.oneof(integer, word), { maxLength: 3 })),
      }) as fc.Arbitrary<Data>,
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((events) => [WHOLE, ...events])

const comparison = fc.constantFrom(...(Object.keys(FIELDS) as (keyof typeof FIELDS)[])).chain((field) =>
  fc.record({
    op: field === 'b' || field === 'u' ? fc.constantFrom('==', '!=') : fc.constantFrom('==', '!=', '<', '<=', '>', '>='),
    field: fc.constant(field),
    value: FIELDS[field].value as fc.Arbitrary<Scalar>,
  }),
)

export const FILTER: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    comparison as fc.Arbitrary<Filter>,
    fc.record({
      op: fc.constantFrom('contains', 'starts-with', 'ends-with'),
      field: fc.constantFrom('s', 'geo.city'),
      value: word,
    }) as fc.Arbitrary<Filter>,
    fc.record({
      op: fc.constantFrom('exists', 'not-exists'),
      field: fc.constantFrom(...Object.keys(FIELDS)),
    }) as fc.Arbitrary<Filter>,
    fc.record({
      op: fc.constantFrom('and', 'or'),
      children: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }) as fc.Arbitrary<Filter>,
    fc.record({ op: fc.constant('not'), children: fc.tuple(tie('filter')) }) as fc.Arbitrary<Filter>,
  ),
})).filter

/** Comparisons have two values: with a field that is not there only `!=` holds. */
export function holds(filter: Filter, data: Data): boolean {
  if ('children' in filter) {
    if (filter.op === 'not') return !filter.children.every((child) => holds(child, data))
    return filter.op === 'and'
      ? filter.children.every((child) => holds(child, data))
      : filter.children.some((child) => holds(child, data))
  }
  const value = FIELDS[filter.field].get(data)
  if (!('value' in filter)) return (value !== undefined) === (filter.op === 'exists')
  if (value === undefined) return filter.op === '!='
  if (filter.op === '==' || filter.op === '!=') return (value === filter.value) === (filter.op === '==')
  if (typeof value !== typeof filter.value) return false
  const [left, right] = [lowered(value), lowered(filter.value)]
  switch (filter.op) {
    case '<':
      return compare(value, filter.value) < 0
    case '<=':
      return compare(value, filter.value) <= 0
    case '>':
      return compare(value, filter.value) > 0
    case '>=':
      return compare(value, filter.value) >= 0
    case 'contains':
      return left.includes(right)
    case 'starts-with':
      return left.startsWith(right)
    case 'ends-with':
      return left.endsWith(right)
    default:
      return filter.op satisfies never
  }
}

const lowered = (value: Scalar) => String(value).toLowerCase()
/** Texts by their bytes, as the engine does. */
const compare = (a: Scalar, b: Scalar) =>
  typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : Number(a) - Number(b)

export function filterText(filter: Filter): string {
  if ('children' in filter) {
    const children = filter.children.map(filterText)
    return filter.op === 'not' ? `not(${children[0]})` : `(${children.join(` ${filter.op} `)})`
  }
  const field = `[${JSON.stringify(filter.field)}]`
  if (!('value' in filter)) return `${filter.op === 'exists' ? 'isnotnull' : 'isnull'}(${field})`
  return `${field} ${filter.op.replace('-', '')} ${JSON.stringify(filter.value)}`
}

export const timeOf = (ns: number) =>
  `2026-01-01T00:00:00${ns === 0 ? '' : `.${String(ns).padStart(9, '0').replace(/0+$/, '')}`}Z`

/** What is stored of an event: objects without members are dropped. */
export function storedOf({ i, f, s, b, u, geo, list }: Data): object {
  const { city, 'x.y': xy } = geo ?? {}
  const inner = { ...(city !== undefined && { city }), ...(xy !== undefined && { 'x.y': xy }) }
  return {
    i,
    ...(f !== undefined && { f }),
    ...(s !== undefined && { s }),
    ...(b !== undefined && { b }),
    ...(u !== undefined && { u }),
    ...(Object.keys(inner).length > 0 && { geo: inner }),
    ...(list !== undefined && { list }),
  }
}

export const GROUPS = ['s', 'b', 'geo.city', 'u'] as const
export const groupValue = (group: (typeof GROUPS)[number], data: Data) => FIELDS[group].get(data) ?? null
