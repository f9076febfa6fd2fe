/**
 * Events of any kind for property tests: every type of value, numbers at the ends of what is kept, names that are hard to store.
 */
import fc from 'fast-check'

/** A number by its text: `JSON.parse` would round what we want to see kept. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
export const writeEvent = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof NumberText ? rawJSON(part.text) : part))

const number = fc
  .oneof(
    fc.maxSafeInteger().map(String),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 65n }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => JSON.stringify(double)),
    fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/),
  )
  .map((text) => new NumberText(text))
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '2024-01-01',
    '2024-01-01T00:00:00Z',
    'true',
    '123',
    '',
    '\u0000',
    '\u2028',
    "'; DROP TABLE datasets; --",
    '\\',
    '\ud83d',
  ),
)
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'status', 'geo', 'n') },
  { weight: 1, arbitrary: fc.constantFrom('a.b', 'a%2Eb', '', '^a', ':Int64', 'x`y', '__proto__', 'data', 'ключ') },
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    text,
    fc.boolean(),
    fc.constant(null),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
}))
export const event = fc.dictionary(key, value, { maxKeys: 5 })
