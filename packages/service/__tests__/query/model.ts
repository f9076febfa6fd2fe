/**
 * Random events, and random filters of them, each written as a query text and as a legacy body. What is right is said by the evaluator of
 * the language (`packages/apl/__tests__/naive/`). Deliberately small: what is random is the data and the filter.
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
  i: integer,
  f: quarter,
  s: word,
  b: fc.boolean(),
  u: fc.oneof(integer, fc.constantFrom('one', 'two')),
  'geo.city': word,
  'geo.x\\.y': integer,
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
        u: optional(FIELDS.u),
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
    value: FIELDS[field] as fc.Arbitrary<Scalar>,
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
export function storedOf({ geo, ...data }: Data): object {
  const inner: object = JSON.parse(JSON.stringify(geo ?? {}))
  return JSON.parse(JSON.stringify({ ...data, ...(Object.keys(inner).length > 0 && { geo: inner }) }))
}

export const GROUPS = ['s', 'b', 'geo.city', 'u'] as const
