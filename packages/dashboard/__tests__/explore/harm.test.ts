/** What hurts now and what is over, as Home says it: one harm for what several releases did to one metric, and no red for what is healed. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { describeGoingOn } from '../../src/annotations/annotation-view.ts'
import { headlineOf, stateOf } from '../../src/annotations/verdict.ts'
import type { Frame } from '../../src/chart/frame.ts'
import { lastRelease, listHarm } from '../../src/charts/harm.ts'
import { withNotes } from '../../src/charts/pane-notes.ts'

type Series = NonNullable<Annotation['verdictDetails']>['series'][number]

const NOON = 12 * 60
const timeOf = (minute: number) => new Date(minute * 60_000).toISOString()
const series = (name: string, kind: Series['kind'], verdict: Series['verdict'], before = 0.01, after = 0.02): Series => ({
  ...{ name, kind, verdict, before, after, change: 1, low: 0.5, high: 2, carriers: [] },
})
const detailsOf = (all: readonly Series[], overAt?: string) =>
  ({ series: all, headline: '', ...(overAt && { overAt }) }) as unknown as NonNullable<Annotation['verdictDetails']>

const release = (title: string, minute: number, more: Partial<Annotation> = {}): Annotation => ({
  ...{ id: `ann_${title}`, datasets: ['web'], type: 'production-deploy', title, time: timeOf(minute), verdict: 'same' },
  ...more,
})
const hurting = (title: string, minute: number, ...all: Series[]) =>
  release(title, minute, { verdict: 'worse', hurtsNow: true, verdictDetails: detailsOf(all) })
const withoutVerdict = ({ verdict: _, ...rest }: Annotation): Annotation => rest
const open = (title: string, type: string, minute: number, more: Partial<Annotation> = {}) =>
  withoutVerdict(release(title, minute, { type, open: true, ...more }))

test('each harm that goes on is told once, with what is open beside it, and what is over today apart from it', () => {
  const errors = series('web errors', 'share', 'worse')
  const all = [
    hurting('web 2', NOON, errors),
    hurting('web 3', NOON + 5, errors, series('web p95', 'measurement', 'worse')),
    hurting('api 1', NOON - 5, series('api errors', 'share', 'worse')),
    release('staging', NOON, { verdict: 'worse', hurtsNow: true, environment: 'staging' }),
    release('healed', NOON - 60, { verdict: 'worse', verdictDetails: detailsOf([errors], timeOf(NOON - 30)) }),
    release('yesterday', -60, { verdict: 'worse' }),
    open('Disks', 'maintenance', 60, { isStale: true }),
    open('Card provider', 'incident', NOON + 6),
    open('web 4', 'deploy', NOON + 4),
    release('failed', NOON + 20, { description: 'Failed after 4 min' }),
  ]
  const { goingOn, over } = listHarm(all, 'UTC', (NOON + 30) * 60_000)
  expect(goingOn.map((one) => [one.release.title, one.open.map(({ title }) => title)])).toEqual([
    ['web 3', ['web 4', 'Card provider', 'Disks']],
    ['api 1', ['web 4', 'Card provider', 'Disks']],
  ])
  expect(over.map(({ title }) => title)).toEqual(['healed'])
  expect(lastRelease(all)?.title).toBe('web 3')
})

test('what goes on is told with its length, and what was left open asks', () => {
  const told = (one: Annotation) => describeGoingOn(one, NOON * 60_000)
  expect(told(open('web 4', 'deploy', NOON - 4))).toBe('web 4 going out for 4 min')
  expect(told(open('INC-440', 'incident', NOON - 188))).toBe('INC-440, 3 h 8 min')
  expect(told(open('Disks', 'maintenance', NOON - 40 * 60, { isStale: true }))).toBe('Disks, 1 d 16 h: still on?')
})

test('a verdict is awaited for a day', () => {
  const told = (minutes: number) => headlineOf(withoutVerdict(release('web 1', 0)), minutes * 60_000)
  expect([5, 12, 1_500].map(told)).toEqual([
    'Verdict in 6 min, if there are events',
    'No verdict yet',
    'No verdict: nothing to compare',
  ])
})

test('the pane that hurts comes first and says what it was; only the judge says that something is over', () => {
  const names = ['Errors', 'Traffic', 'p95']
  const frame: Frame = {
    ...{ times: [], stepMs: 1, leftOut: 0 },
    series: [...names, 'then'].map((label, at) => ({ label, pane: Math.min(at, 2), values: [], color: '' })),
    panes: names.map((name) => ({ name, unit: 'none', figure: '' })),
  }
  const slow = [
    series('web duration_ms · p95', 'measurement', 'worse', 75, 145),
    series('web duration_ms · p50', 'measurement', 'worse'),
    series('api errors', 'share', 'worse'),
    series('web traffic', 'count', 'lower'),
  ]
  const bad = { ...hurting('web 2', NOON, ...slow), version: '2.0' }
  const drawn = withNotes(frame, 'web', [bad, release('web 1', 5)])
  const hurt = { sinceMs: NOON * 60_000, was: '75' }
  expect(drawn.panes.map((pane) => [pane.name, pane.hurt])).toEqual([
    ['p95', hurt],
    ['Errors', undefined],
    ['Traffic', undefined],
  ])
  expect(drawn.series.map(({ label, pane }) => [label, pane])).toEqual([
    ['p95', 0],
    ['then', 0],
    ['Errors', 1],
    ['Traffic', 2],
  ])
  const { hurtsNow: _, ...past } = bad
  const over = { ...past, verdictDetails: detailsOf(slow, timeOf(NOON + 9)) }
  const notes = (one: Annotation) => withNotes(frame, 'web', [one]).panes.map(({ note }) => note?.text)
  expect([notes(over), notes(past)]).toEqual([
    [undefined, undefined, '2.0: 145, over'],
    [undefined, undefined, undefined],
  ])
  expect([bad, over, past].map((one) => stateOf(one))).toEqual(['now', 'hurt', 'hurt'])
})
