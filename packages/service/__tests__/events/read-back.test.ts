import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs } from '../../../../__tests__/support/long.ts'
import { startService } from '../../../../__tests__/support/service.ts'
import { event, NumberText, writeEvent as write } from '../../../event-store/__tests__/any-event.ts'
import { decodeKey } from '../../../event-store/src/fields/field.ts'
import { send } from './send.ts'
import { readStoredEvents } from './stored-events.ts'

const SEED = Number(process.env.READ_BACK_SEED ?? 20_261_121)

/** What the data model keeps of a value: null and empty objects are the absence of a field. */
function keptOf(part: unknown, isInArray: boolean): unknown {
  if (part instanceof NumberText) return canonical(part.text)
  if (Array.isArray(part)) return part.map((item) => keptOf(item, true))
  if (typeof part !== 'object' || part === null) return part
  const members = Object.entries(part)
    .map(([name, member]) => [name, keptOf(member, false)] as const)
    .filter(([, member]) => member !== null && member !== undefined)
  return members.length === 0 && !isInArray ? undefined : Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Stored JSON text in the same form: keys decoded and sorted, numbers by value. */
function storedOf(stored: string): unknown {
  const exact = (_: string, part: unknown, context?: { source: string }) =>
    typeof part === 'number' && context ? new NumberText(context.source) : part
  const decode = (part: unknown): unknown => {
    if (part instanceof NumberText) return part
    if (Array.isArray(part)) return part.map(decode)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [decodeKey(name), decode(member)]))
  }
  return keptOf(decode(JSON.parse(stored, exact as (key: string, value: unknown) => unknown)), false)
}

/** A decimal as digits and exponent, whatever its spelling. */
function canonical(number: string): string {
  const [mantissa = '', power = '0'] = number.replace(/^-/, '').split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  const sign = number.startsWith('-') ? '-' : ''
  return trimmed === '' ? `#${sign}0` : `#${sign}${trimmed}e${Number(power) - fraction.length + digits.length - trimmed.length}`
}

test('every event is read back equal, or is in failures with a reason', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'read-back-'))
  await using service = await startService({ dataDir: folder.path })
  const events = fc.sample(event, { numRuns: runs(2_000, 6_000), seed: SEED })
  const refused = new Map<number, string>()
  const batch = 500
  for (let from = 0; from < events.length; from += batch) {
    // The event's number is kept beside it, to find it again.
    const body = events.slice(from, from + batch).map((members, index) => write({ '#': from + index, v: members }))
    const answer = await send(service, from % 1_000 === 0 ? `[${body.join(',')}]` : body.join('\n'))
    expect(answer.status).toBe(200)
    expect(answer.body.ingested + answer.body.failed).toBe(batch)
    for (const { error } of answer.body.failures) {
      const [, index, reason] = /^event (\d+): (.+)$/.exec(error) ?? []
      refused.set(from + Number(index), reason as string)
    }
  }
  await service.stop()
  const stored = readStoredEvents(service.dataDir).web ?? []
  expect(stored.length + refused.size).toBe(events.length)
  expect(refused.size).toBeLessThan(events.length / 2)
  const seen = new Set<number>()
  for (const { data } of stored) {
    const { '#': id, v } = storedOf(data) as { '#': string; v?: unknown }
    const number = Number((JSON.parse(data) as { '#': number })['#'])
    expect(id).toBe(canonical(String(number)))
    seen.add(number)
    expect({ number, v: v ?? undefined, sent: write(events[number]) }).toEqual({
      number,
      v: keptOf(events[number], false),
      sent: write(events[number]),
    })
  }
  expect(seen.size).toBe(stored.length)
  expect(readStoredEvents(service.dataDir, true).web).toEqual(stored)
})
