/**
 * Events of clean types, and one event of another type in each field. `../stray.test.ts` asks the engine, and the service's own test of the
 * same name a service.
 * Deliberately not here: the questions.
 */
import type { StoredEvent } from '../support/engine.ts'
import { readGolden } from '../support/golden.ts'

export const START = 1_767_225_600_000_000_000n
export const HOUR = 3_600_000_000_000n

/** A number as it stands in an event: an integer of any size, or 12.0, which is a decimal. */
const number = (digits: string) => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits)

const N = [7, -3, 0, 10, 9, 100, 20, 7, undefined, 9, 6, 8, 1, 5]
const M = [3, 2, 0, 9, 10, 20, undefined, 7, 4, 0, 3, 8, -2, 5]
const BIG = ['9007199254740993', '9007199254740992', '-9007199254740993', '7', undefined, '123456789012345678']
const WIDE = ['9007199254740992', '9007199254740992', '-9007199254740992', '9', '5']
const H = ['12.0', '7.5', '-13.0', '0.0', undefined, '31.0']
const S = ['b', 'a', '10', '9', 'x y', 'B', '', undefined, 'äö', 'b']
const U = ['a', 'a', '9', '10', undefined, 'b', 'x', 'q']
const D = ['10', '9', '7', '9', undefined, '2.5', '007', '100']
const of = <T>(values: readonly T[], at: number) => values[at % values.length]

export const EVENTS: readonly StoredEvent[] = N.map((n, id) => {
  const [big, wide, h] = [of(BIG, id), of(WIDE, id), of(H, id)]
  const data = {
    id,
    k: `g${id % 3}`,
    n,
    m: M[id],
    big: big === undefined ? undefined : number(big),
    wide: number(wide as string),
    h: h === undefined ? undefined : number(h),
    r: id % 5 === 4 ? undefined : id - 3.25,
    s: of(S, id),
    u: of(U, id),
    d: of(D, id),
    t: `2026-01-0${1 + (id % 4)}T0${id % 7}:00:00Z`,
    v: id % 3 === 0 ? undefined : `2026-01-0${1 + (id % 3)}T05:00:00Z`,
    b: id % 4 === 3 ? undefined : id % 2 === 0,
    c: id % 3 === 0,
    a: [id, id + 1].slice(0, id % 3),
    e: [id, id + 1].slice(0, id % 2),
    w: ['p', 'q r', 'z'].slice(id % 3),
    o: { x: id * 2, y: of(S, id + 1) },
  }
  return { timeNs: START + BigInt(id) * HOUR, data: { ...data, ...(data.a.length === 0 && { a: undefined }) } }
})

export const OTHER: readonly StoredEvent[] = [
  { p: 7, q: 'b', g: number('9007199254740993'), f: true, mark: 'one', n: 3, big: number('9007199254740995'), s: 'zz' },
  { p: 10, q: '10', g: number('9007199254740994'), f: false, mark: 'two' },
  { p: 9, q: 'B', g: number('7'), mark: 'three' },
].map((data, at) => ({ timeNs: START + BigInt(at), data }))

/** The value that the stray event has in every field, and what the catalog then knows beside the types that were there. */
export const STRAYS: Readonly<Record<string, { value: unknown; types: readonly string[] }>> = {
  text: { value: 'zz', types: ['string'] },
  number: { value: 5, types: ['integer'] },
  float: { value: 5.5, types: ['float'] },
  boolean: { value: true, types: ['boolean'] },
  array: { value: [1, 'x'], types: ['array'] },
  object: { value: { deep: 1 }, types: [] },
  null: { value: null, types: [] },
  'huge integer': { value: number('18446744073709551615'), types: ['integer', 'unsigned'] },
  time: { value: '2026-01-01T00:00:00Z', types: ['string'] },
  'text NaN': { value: 'NaN', types: ['string'] },
}

/** The types of the fields without the stray event. */
export const CLEAN = readGolden<Readonly<Record<string, string>>>('stray')
export const STRAYED = Object.keys(CLEAN).filter((name) => name !== 'id' && !name.startsWith('o.'))

/** The stray event among the others. */
export function eventsWith(kind: string): StoredEvent[] {
  const stray = Object.fromEntries([...STRAYED, 'o'].map((name) => [name, STRAYS[kind]?.value]))
  return [...EVENTS.slice(0, 8), { timeNs: START + HOUR / 2n, data: { id: 999, ...stray } }, ...EVENTS.slice(8)]
}

/** Whether the order of the answer is a part of it. */
const isOrdered = (query: string) => / (?:sort|top) [^|]*(?:\| project [^|]*)?$/.test(query)

/** Rows as texts that can be compared. */
export function printAnswer(query: string, rows: readonly object[]): string[] {
  const texts = rows.map((row) => JSON.stringify(row, comparable))
  return isOrdered(query) ? texts : texts.sort()
}

/** Floats to twelve digits: a sum depends on the order of its parts. */
const comparable = (_key: string, value: unknown) =>
  typeof value === 'bigint'
    ? `${value}`
    : typeof value === 'number' && !Number.isInteger(value)
      ? Number(value.toPrecision(12))
      : value
