/** Addresses, ranges and times, as the page reads and writes them. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { testGolden } from '../../apl/__tests__/support/golden.ts'
import { describeDuration, formatCompact, formatTime, formatTimes } from '../src/address/format-time.ts'
import { formatStep, parseTime, pickStep, scaleRange, shiftRange, tryRange } from '../src/address/range.ts'
import { DEFAULT_VIEW, formatView, parseView, putAt, toggle, type View } from '../src/address/view.ts'
import { fromInputText, toInputText, withoutZone, withZone } from '../src/address/zone.ts'

/** Of the pure parts, what is written for what is given. */
const CASES = JSON.parse(readFileSync(new URL('view.json', import.meta.url), 'utf8'))

const read = (address: string) => parseView(new URL(address, 'http://service.test'))

test('an address says the whole view, and only what is not as by default', () => {
  expect(formatView(DEFAULT_VIEW)).toBe('/')
  const view: View = CASES.view
  expect(Object.keys(view).sort()).toEqual(Object.keys(DEFAULT_VIEW).sort())
  expect(read(formatView(view))).toEqual(view)
  expect(read(formatView({ ...DEFAULT_VIEW, page: 'tokens' }))).toEqual({ ...DEFAULT_VIEW, page: 'tokens' })
})

test('the zone of an address is one that there is; older addresses say UTC in a parameter of its own', () => {
  expect(read('/?zone=America/New_York').zone).toBe('America/New_York')
  expect(formatView({ ...DEFAULT_VIEW, zone: 'America/New_York' })).toBe('/?zone=America/New_York')
  expect([read('/?zone=Nowhere/None').zone, read('/?utc=true').zone, read('/?utc=false').zone]).toEqual(['', 'UTC', ''])
})

testGolden(CASES.clocks, (text) => withZone(...(text.split(/ (?=[A-Z])/) as [clock: string, zone: string])))
testGolden(CASES.steps, (lengthMs) => formatStep(pickStep({ startMs: 0, endMs: Number(lengthMs) }, 300)))
testGolden(CASES.times, (time) => formatTime(time, 'UTC'))
testGolden(CASES.durations, (ms) => describeDuration(Number(ms)))
testGolden(CASES.figures, (value) => formatCompact(Number(value)))

test('what a zone’s clocks show is read as the same time, on any day', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])
    for (let ms = Date.parse('2026-01-01T00:30:00Z'); ms < Date.parse('2027-01-01T00:00:00Z'); ms += 37 * 3_600_000) {
      const typed = withoutZone(new Date(ms).toISOString(), zone)
      expect(withoutZone(withZone(typed, zone), zone)).toBe(typed)
    }
})

test('what an address says wrongly is as by default', () => {
  expect(read('/?datasets=,,&live=yes&startTime=&sort=')).toEqual(DEFAULT_VIEW)
  expect(read('/nothing').page).toBe('nowhere')
})

test('a toggle puts an item in or out', () => {
  expect([toggle(['a'], 'b'), toggle(['a', 'b'], 'a')]).toEqual([['a', 'b'], ['b']])
})

test('an item is put in its place, and no empty ones stand at the end', () => {
  expect([putAt([], 2, 'c'), putAt(['a', '', 'c'], 1, 'b'), putAt(['a', '', 'c'], 2, '')]).toEqual([
    ['', '', 'c'],
    ['a', 'b', 'c'],
    ['a'],
  ])
})

test('times are relative to now or absolute', () => {
  const now = Date.UTC(2026, 0, 31, 12)
  expect(tryRange('now-15m', 'now', now).range).toEqual({ startMs: now - 900_000, endMs: now })
  expect(tryRange('2026-01-31T12:00:00+01:00', 'now-30s', now).range).toEqual({ startMs: now - 3_600_000, endMs: now - 30_000 })
  expect(tryRange('now - 15m', 'now+1h', now).range).toEqual({ startMs: now - 900_000, endMs: now + 3_600_000 })
  expect(parseTime('yesterday', now)).toBeUndefined()
})

test.each([
  ['soon', 'now', 'the start "soon" is not a time'],
  ['now', 'later', 'the end "later" is not a time'],
  ['now', 'now-1h', 'the end "now-1h" is not after the start "now"'],
])('%s to %s is refused with the reason', (start, end, reason) => {
  expect(tryRange(start, end).rangeError?.message).toMatch(reason)
})

test('ranges move and widen about their middle', () => {
  expect(shiftRange({ startMs: 100, endMs: 200 }, -0.5)).toEqual({ startMs: 50, endMs: 150 })
  expect(scaleRange({ startMs: 100, endMs: 200 }, 2)).toEqual({ startMs: 50, endMs: 250 })
  expect(scaleRange({ startMs: 100, endMs: 101 }, 0.5)).toEqual({ startMs: 100, endMs: 102 })
})

test('a range is written for people, and its day once', () => {
  expect(formatTimes(0, 3_600_000, 'UTC')).toBe('1 Jan 1970, 00:00:00 UTC – 01:00:00 UTC')
  expect(formatTimes(0, 86_400_000, 'UTC')).toBe('1 Jan 1970, 00:00:00 UTC – 2 Jan 1970, 00:00:00 UTC')
})

test('the times of a form are those of the annotation', () => {
  const ms = Date.UTC(2026, 0, 31, 12, 0, 0, 5)
  expect(toInputText(ms, 'UTC')).toBe('2026-01-31T12:00:00.005')
  for (const zone of ['UTC', '', 'America/New_York'])
    expect(fromInputText(toInputText(ms, zone), zone)).toBe('2026-01-31T12:00:00.005Z')
  expect(fromInputText('', 'UTC')).toBeUndefined()
})

test('moving and widening a range end where nothing can be stored', () => {
  const all = scaleRange({ startMs: 0, endMs: 1 }, 1e20)
  expect(Object.values(all).map((ms) => new Date(ms).getUTCFullYear())).toEqual([1900, 2262])
  expect([shiftRange(all, 1), shiftRange(all, -1)]).toEqual([all, all])
})

test('an address names the first of hundreds of open annotations, and stays short enough for any server', () => {
  const annotations = Array.from({ length: 700 }, (_, n) => `ann_${String(n).padStart(26, '0')}`)
  const address = formatView({ ...DEFAULT_VIEW, annotations })
  expect(address.length).toBeLessThan(4_000)
  expect(read(address).annotations).toEqual(annotations.slice(0, 100))
})
