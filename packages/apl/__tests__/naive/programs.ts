/**
 * Random data, and random programs over it: texts of the language whose types fit, with everything named.
 * Deliberately not here: what the programs are made of, which is in `grammar.txt`, and what they mean.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { readGolden } from '../support/golden.ts'
import type { Row, Value } from './values.ts'

/** Texts of each kind that events have, and what is looked for in them. */
const { words, dates, times, messages, lines, signs, needles, textOperators } =
  readGolden<
    Readonly<
      Record<'words' | 'dates' | 'times' | 'messages' | 'lines' | 'signs' | 'needles' | 'textOperators', readonly string[]>
    >
  >('naive')

/** A day among the events; whoever has them at another time writes another. */
export const DAY = 'datetime(2026-01-05)'

const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): { readonly rawJSON: string }
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}
/** A number as it is written: 3.0, or with more digits than a float has. */
type Written = ReturnType<typeof rawJSON>

/** Quarters, of which small sums and products are exact. */
const quarter = fc.integer({ min: -40, max: 40 }).map((n) => n / 4 + 0.125)
const small = fc.integer({ min: -9, max: 9 })
const smallDecimal = fc.integer({ min: 0, max: 3 }).map((n) => rawJSON(`${n}.0`))
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 5 })

/** What people have in one field: whole numbers, and now and then something else. */
const any = fc.oneof(
  { weight: 3, arbitrary: small },
  fc.constantFrom('', 'Beta', 'alpha', '7', '7.5', '12', 'NaN', 'a-1', 'true', '2026-01-05'),
  fc.boolean(),
)
const item = fc.oneof(small, quarter, smallDecimal, fc.boolean(), fc.constantFrom('', 'Beta', 'a', '2', '2.5'))

const LARGE = ['9007199254740992', '9007199254740993', '-9007199254740993', '1234567890123456789', '7'].map(rawJSON)

interface Data {
  readonly id: number
  readonly i?: number
  readonly k?: number
  readonly r?: number
  readonly s?: string
  readonly b?: boolean
  readonly a?: readonly number[]
  /** Of any type in each event. */
  readonly p?: number | string | boolean
  readonly q?: number | string | boolean
  /** Items of any type. */
  readonly l?: readonly (number | string | boolean | Written)[]
  /** Whole numbers and decimals, some of which are equal. */
  readonly f?: number | Written
  /** A length of time, by its name. */
  readonly took_ms?: number
  /** A time as a text, or nearly one. */
  readonly t?: string
  /** A time as a text. */
  readonly u?: string
  /** A message. */
  readonly m?: string
  /** A line of keys and values. */
  readonly w?: string
  /** One of whole numbers that are equal as floats. */
  readonly g?: Written
  /** The key `n` of `d`, and a key with a dot. */
  readonly d?: { readonly n?: number }
  readonly 'd.n'?: number
  readonly 'e.f'?: string
  readonly o?: { readonly 'x.y'?: number | string }
}

export interface RandomEvent {
  readonly minutes: number
  readonly data: Omit<Data, 'id'>
}

export const EVENTS: fc.Arbitrary<RandomEvent[]> = fc.array(
  fc.record({
    minutes: fc.integer({ min: 0, max: 20_000 }),
    data: fc
      .record({
        i: maybe(small),
        k: maybe(fc.integer({ min: 0, max: 3 })),
        r: maybe(quarter),
        s: maybe(fc.constantFrom(...words)),
        b: maybe(fc.boolean()),
        a: maybe(fc.array(small, { maxLength: 4 })),
        p: maybe(any),
        q: maybe(any),
        l: maybe(fc.array(item, { maxLength: 3 })),
        f: maybe(fc.oneof(fc.integer({ min: 0, max: 3 }), quarter, smallDecimal)),
        took_ms: maybe(quarter),
        t: maybe(fc.constantFrom(...dates)),
        u: maybe(fc.constantFrom(...times)),
        m: maybe(fc.constantFrom(...messages)),
        w: maybe(fc.constantFrom(...lines)),
        g: maybe(fc.constantFrom(...LARGE)),
        d: maybe(fc.record({ n: small })),
        'd.n': maybe(small),
        'e.f': maybe(fc.constantFrom(...words)),
        o: maybe(fc.record({ 'x.y': any })),
      })
      .map((data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Omit<Data, 'id'>),
  }),
  { minLength: 1, maxLength: 30 },
)

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

type Choices = Readonly<Record<string, readonly string[]>>

/** What each name of the grammar stands for. */
function readGrammar(text: string): Choices {
  const choices: Record<string, string[]> = {
    word: words.map(quoted),
    sign: signs.map(quoted),
    needle: needles.map(quoted),
    'text-operator': [...textOperators],
  }
  let last: string[] = []
  for (const line of text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))) {
    const [, name = '', list = ''] = /^([a-z-]+)(?:: (.*))?$/.exec(line) ?? []
    if (name === '') last.push(line.slice(2))
    else choices[name] = last = list.split(' ').filter(Boolean)
  }
  return choices
}

const GRAMMAR = fc.letrec<Record<string, string>>((tie) => {
  const choices = readGrammar(readFileSync(new URL('grammar.txt', import.meta.url), 'utf8'))
  /** Each name where it stands in turn with the texts between. */
  const arbitraryOf = (line: string): fc.Arbitrary<string> => {
    const parts = line.replace(/^<>$/, '').split(/<([a-z-]+)>/)
    return fc.tuple(...parts.map((part, at) => (at % 2 === 1 ? tie(part) : fc.constant(part)))).map((texts) => texts.join(''))
  }
  return Object.fromEntries(
    Object.entries(choices).map(([name, lines]) => {
      if (!lines.some((line) => line.includes('<'))) return [name, fc.constantFrom(...lines)]
      const weighted = lines.map((line) => {
        const [, times = '1', choice = ''] = /^(?:(\d+)x )?(.*)$/.exec(line) ?? []
        return { weight: Number(times), arbitrary: arbitraryOf(choice) }
      })
      return [name, fc.oneof({ depthSize: 'small', withCrossShrink: true }, ...weighted)]
    }),
  )
})

/** An expression of any type. */
export const EXPRESSION = GRAMMAR.expression as fc.Arbitrary<string>
export const PROGRAM = GRAMMAR.program as fc.Arbitrary<string>

/** An event as a row of the evaluator: a dot inside of a key stands behind a backslash. */
export function rowOf({ minutes, data }: { minutes: number; data: object }, id: number, startNs: bigint): Row {
  const row: Record<string, Value> = { _time: { timeNs: startNs + BigInt(minutes) * 60_000_000_000n }, id: BigInt(id) }
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value)) {
      for (const [key, inner] of Object.entries(value)) visit(inner, [path, key.replaceAll('.', '\\.')].filter(Boolean).join('.'))
    } else row[path] = read(value)
  }
  visit(data, '')
  return row
}

/** A number is whole if no dot is written. */
function read(value: unknown): Value {
  if (Array.isArray(value)) return value.map(read)
  if (isRawJSON(value)) return value.rawJSON.includes('.') ? Number(value.rawJSON) : BigInt(value.rawJSON)
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : (value as Value)
}
