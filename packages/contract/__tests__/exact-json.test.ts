/**
 * Integers of any size cross JSON both ways, and all else is as JSON.parse and JSON.stringify have it. The judge is what newer Nodes
 * tell of a number's text; the code under test does without.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseExact, stringifyExact } from '../src/exact-json.ts'

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseBySource = (text: string): unknown =>
  (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
  )
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
/** As `test`; Node 20 has no such judge. What is written is read back there all the same. */
const testWithJudge: typeof test =
  typeof rawJSON === 'function'
    ? test
    : (((name: string, run: () => void) =>
        test.skip(`${name} (skipped: this Node does not tell the text of a number)`, run)) as typeof test)
const stringifyRaw = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? rawJSON(String(item)) : item), indent)

const big = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).filter((n) => n > 2n ** 53n - 1n || n < -(2n ** 53n - 1n))
/** What could be taken for an integer, for a quote or for the mark. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', '\\', '\uE000', '\\uE000', '\\ue000', '12345678901234567', '-', ',', ':', '{', ']', ' '),
    fc.string(),
  ),
  maxLength: 8,
})
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    big,
    hostile,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(hostile, fc.constantFrom('__proto__', '0', '10')), tie('value'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  ),
}))

test('whatever is written is read back, every digit', () => {
  const integers = fc.array(fc.oneof(big, fc.maxSafeInteger(), fc.record({ n: big, text: hostile })))
  fc.assert(
    fc.property(integers, (value) => expect(parseExact(stringifyExact(value))).toEqual(value)),
    { numRuns: 1_000 },
  )
})

testWithJudge('whatever is written is what the judge writes, and is read as the judge reads it', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const text = stringifyExact(value)
      expect(text).toBe(stringifyRaw(value))
      expect(stringifyExact(value, 2)).toBe(stringifyRaw(value, 2))
      expect(parseExact(text)).toEqual(parseBySource(text))
      expect(stringifyExact(parseExact(text))).toBe(stringifyRaw(parseBySource(text)))
    }),
    { numRuns: 1_000 },
  )
})

testWithJudge('texts as others write them are read so too', () => {
  const number = fc.oneof(
    big.map(String),
    fc.tuple(big, fc.constantFrom('.0', '.5', 'e2', 'E+2', 'e-2', '.12345678901234567', 'e0')).map((parts) => parts.join('')),
    fc.constantFrom(
      '9007199254740991',
      '9007199254740992',
      '9007199254740993',
      '-9007199254740993',
      '0.12345678901234567',
      '-0',
      '1e21',
    ),
  )
  const string = fc
    .array(
      fc.constantFrom('\\"', '\\\\', '\\uE000', '\\ue000', '\uE000', '\uE00012345678901234567', '12345678901234567', 'é', '\\n'),
    )
    .map((parts) => `"${parts.join('')}"`)
  const blank = fc.constantFrom('', ' ', '\n\t')
  const { text } = fc.letrec<{ text: string }>((tie) => ({
    text: fc
      .tuple(
        blank,
        fc.oneof(
          { maxDepth: 4 },
          number,
          string,
          fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
          fc
            .array(fc.tuple(string, tie('text')), { maxLength: 4 })
            .map((members) => `{${members.map((one) => one.join(':')).join(',')}}`),
        ),
        blank,
      )
      .map((parts) => parts.join('')),
  }))
  fc.assert(
    fc.property(text, (one) => expect(parseExact(one)).toEqual(parseBySource(one))),
    { numRuns: 1_000 },
  )
})

testWithJudge('what is no JSON is refused with the words of JSON.parse', () => {
  const broken = fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '12345678901234567', '0', '-', '.', 'e', ' '),
  })
  const outcome = (read: (text: string) => unknown, text: string) => {
    try {
      return read(text)
    } catch (error) {
      return `${error}`
    }
  }
  fc.assert(
    fc.property(broken, (text) => expect(outcome(parseExact, text)).toEqual(outcome(parseBySource, text))),
    { numRuns: 1_000 },
  )
  expect(() => parseExact('{12345678901234567:1}')).toThrow(SyntaxError)
  expect(() => parseExact('[00012345678901234567]')).toThrow(SyntaxError)
})

test('keys that objects have by themselves are members like any other', () => {
  const read = parseExact('{"__proto__":12345678901234567,"constructor":{"a":12345678901234567}}') as Record<string, unknown>
  expect(Object.entries(read)).toEqual([
    ['__proto__', 12345678901234567n],
    ['constructor', { a: 12345678901234567n }],
  ])
})

test('depth is no limit for reading, and long strings none either', () => {
  const depth = 50_000
  const deep = `${'['.repeat(depth)}12345678901234567${']'.repeat(depth)}`
  let inner = parseExact(deep)
  for (let level = 0; level < depth; level++) [inner] = inner as [unknown]
  expect(inner).toBe(12345678901234567n)
  const long = `${'x\\"'.repeat(1_000_000)}`
  expect(parseExact(`["${long}",12345678901234567]`)).toEqual([JSON.parse(`"${long}"`), 12345678901234567n])
})

test('what is no JSON value is not written', () => {
  const circle: unknown[] = [1n]
  circle.push(circle)
  for (const value of [undefined, () => 1, Symbol('x'), circle]) expect(() => stringifyExact(value)).toThrow(TypeError)
  expect(stringifyExact({ a: undefined, b: [undefined, Number.NaN], at: new Date(0), n: 2n ** 64n })).toBe(
    '{"b":[null,null],"at":"1970-01-01T00:00:00.000Z","n":18446744073709551616}',
  )
})
