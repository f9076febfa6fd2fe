/** What stands above the charts and beside their figures: what hurts now comes first, and what was undone hurts no more. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { headlineOf } from '../src/annotations/verdict.ts'
import type { Frame } from '../src/chart/frame.ts'
import { withNotes } from '../src/charts/pane-notes.ts'
import { chooseForStrip } from '../src/releases/strip-order.ts'

const release = (title: string, minute: number, more: Partial<Annotation> = {}): Annotation => ({
  id: `ann_${title}`,
  datasets: ['web'],
  type: 'production-deploy',
  environment: 'production',
  title,
  time: new Date(minute * 60_000).toISOString(),
  verdict: 'same',
  ...more,
})
const withoutVerdict = ({ verdict: _, environment: __, ...rest }: Annotation): Annotation => rest
const titles = (...annotations: Annotation[]) => chooseForStrip(annotations).map(({ title }) => title)

test('what hurts now comes first, then what goes on, then the last releases, and rehearsals where there is room', () => {
  const incident = withoutVerdict(release('Card provider', 5, { type: 'incident', open: true }))
  const staging = [1, 2, 3, 4].map((n) =>
    release(`staging ${n}`, 50 + n, { environment: n > 3 ? 'pre-production' : 'staging', verdict: 'worse' }),
  )
  const shown = titles(
    ...staging,
    release('web 1', 10, { environment: 'prd' }),
    incident,
    release('web 3', 40, { environment: 'prod-eu' }),
    release('web 2', 30, { verdict: 'worse', hurtsNow: true }),
    release('healed', 4, { verdict: 'worse' }),
  )
  expect(shown).toEqual(['web 2', 'Card provider', 'web 3', 'web 1'])
  expect(titles(...staging, release('web 1', 10))).toEqual(['web 1', 'staging 4', 'staging 3', 'staging 2'])
})

test('a verdict is pending for as long as the service awaits late events', () => {
  const told = (minutes: number) => headlineOf(withoutVerdict(release('web 1', 0)), minutes * 60_000)
  expect([5, 12, 45, 50].map(told)).toEqual([
    'Verdict in 6 min',
    'Verdict pending',
    'Verdict pending',
    'No verdict yet: nothing to compare so far',
  ])
})

test('a pane says what the last release changed in it, as bad only where it is worse', () => {
  const names = ['Traffic', 'Errors', 'p95']
  const frame: Frame = {
    ...{ times: [], stepMs: 1, series: [], leftOut: 0 },
    panes: names.map((name) => ({ name, unit: 'none', figure: '' })),
  }
  const of = (name: string, kind: string, verdict: string, change: number) => ({
    ...{ name, kind, verdict, change, before: 100, after: 100 * (1 + change), carriers: [] },
  })
  const series = [
    of('web traffic', 'count', 'lower', -0.4),
    of('web errors', 'share', 'worse', 1.75),
    of('api errors', 'share', 'worse', 8),
    of('web duration_ms · p50', 'measurement', 'worse', 3),
    of('web duration_ms · p95', 'measurement', 'same', 0.01),
  ]
  const verdictDetails = { series } as unknown as NonNullable<Annotation['verdictDetails']>
  const notes = (...annotations: Annotation[]) => withNotes(frame, 'web', annotations).panes?.map(({ note }) => note)
  const bad = release('web 2', 10, { verdict: 'worse', version: '2.0', verdictDetails, hurtsNow: true })
  expect(notes(bad, release('web 1', 5, { verdictDetails }))).toEqual([
    { text: '◆ −40 % after 2.0', isBad: false },
    { text: '▲ ×2.75 after 2.0', isBad: true },
    undefined,
  ])
  // What is healed is no longer called so.
  expect(notes({ ...bad, hurtsNow: undefined } as unknown as Annotation)).toEqual([
    { text: '◆ −40 % after 2.0', isBad: false },
    { text: '▲ ×2.75 after 2.0, over now', isBad: false },
    undefined,
  ])
})
