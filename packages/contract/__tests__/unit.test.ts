/** Which unit the name of a field tells, and which names tell none. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { unitOfField } from '../src/unit.ts'

/** Names of fields beside their units, and names that tell none. */
const NAMES = JSON.parse(readFileSync(new URL('./units.json', import.meta.url), 'utf8')) as {
  told: [name: string, unit: string][]
  untold: string[]
}

test.each(NAMES.told)('%s is a number of %s', (name, unit) => {
  expect(unitOfField(name)).toBe(unit)
})

test.each(NAMES.untold)('the name %s tells none', (name) => {
  expect(unitOfField(name)).toBeUndefined()
})

test('the length of a span of a trace is nanoseconds', () => {
  expect(unitOfField('duration', (name) => ['trace_id', 'span_id'].includes(name))).toBe('ns')
})
