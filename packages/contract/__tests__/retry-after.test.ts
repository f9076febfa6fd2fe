import { expect, test } from '@jest/globals'
import { parseRetryAfter } from '../src/retry-after.ts'

test.each([
  ['5', undefined, 5_000],
  [' 0 ', undefined, 0],
  ['Wed, 21 Oct 2026 07:28:10 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT', 10_000],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT', 0],
  ['soon', undefined, undefined],
  ['-1', undefined, undefined],
  ['1.5', undefined, undefined],
  [undefined, undefined, undefined],
])('Retry-After %j, at %j, is %j ms', (value, date, expected) => {
  expect(parseRetryAfter(value, date)).toBe(expected)
})
