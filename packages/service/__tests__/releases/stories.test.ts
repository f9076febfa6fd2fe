/** One rule of what hurts now, what is healed and what is over, for lists, releases, the time to restore and the page. */
import { readFileSync } from 'node:fs'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { hurtsNow, tellStories } from '../../src/automations/releases/stories.ts'

/** Of each series its verdict, and what it was before and after. */
type Series = Record<string, [verdict: string, before: number | null, after: number | null]>
type World = [world: string, bad: Series, later: Series, members: { bad?: object }, isHealed: boolean | string]

function judged(id: string, time: string, series: Series, members: object): Annotation {
  const compared = Object.entries(series).map(([name, [verdict, before, after]]) => ({
    ...{ name, verdict, before, after, kind: name.includes('p95') ? 'measurement' : 'count' },
  }))
  const [verdict] = Object.values(series)[0] ?? []
  const details = verdict && { verdict, verdictDetails: { series: compared } }
  return { id, datasets: ['web'], type: 'deploy', service: 'web', time, ...details, ...members } as unknown as Annotation
}

test.each(JSON.parse(readFileSync(new URL('healed.json', import.meta.url), 'utf8')) as World[])(
  'where %s, everybody says the same of whether it is healed',
  (_, series, laterSeries, { bad: members = {}, ...laterMembers }, isHealed) => {
    const bad = judged('bad', '2026-01-31T11:00:00Z', series, members)
    const later = judged('later', '2026-01-31T11:40:00Z', laterSeries, laterMembers)
    const all = Object.keys(laterSeries).length + Object.keys(laterMembers).length > 0 ? [bad, later] : [bad]
    expect(hurtsNow(bad, all, Date.parse('2026-01-31T12:00:00Z'))).toBe(isHealed === false || isHealed === 'rolled back, hurts')
    const story = tellStories(
      all.filter(({ type }) => type === 'deploy'),
      all,
    ).find(({ annotation }) => annotation === bad)
    const end = isHealed === true ? story?.fixedBy : story?.rolledBackBy
    expect(end).toBe(isHealed === true || /rolled/.test(String(isHealed)) ? 'later' : undefined)
    expect(story?.restoreMs).toBe(end && 40 * 60_000)
  },
)
