/** One rule of what hurts now, what is healed and what is over, for lists, releases, the time to restore and the page. */
import { readFileSync } from 'node:fs'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { expect, test } from '@jest/globals'
import { tellStories } from '../../src/automations/releases/stories.ts'

/** Of each series its verdict, and what it was before and after. */
type Series = Record<string, [verdict: string, before: number | null, after: number | null]>
type World = [world: string, bad: Series, later: Series, members: { bad?: { overAt?: string } }, ending: boolean | string]

function judged(id: string, time: string, series: Series, { overAt, ...members }: { overAt?: string }): Annotation {
  const kindOf = (name: string) => (name.includes('p95') ? 'measurement' : name.includes('errors') ? 'share' : 'count')
  const compared = Object.entries(series).map(([name, [verdict, before, after]]) => ({
    name,
    verdict,
    before,
    after,
    kind: kindOf(name),
  }))
  const [verdict] = Object.values(series)[0] ?? []
  const texts = { headline: 'It hurt', text: 'It hurt. The rest.' }
  const details = verdict && { verdict, verdictDetails: { ...texts, series: compared, ...(overAt && { overAt }) } }
  return { id, datasets: ['web'], type: 'deploy', service: 'web', time, ...details, ...members } as unknown as Annotation
}

test.each(JSON.parse(readFileSync(new URL('healed.json', import.meta.url), 'utf8')) as World[])(
  'where %s, everybody says the same of how it ended',
  (_, series, laterSeries, { bad: members = {}, ...laterMembers }, ending) => {
    const bad = judged('bad', '2026-01-31T11:00:00Z', series, members)
    const later = judged('later', '2026-01-31T11:40:00Z', laterSeries, laterMembers)
    const all = Object.keys(laterSeries).length + Object.keys(laterMembers).length > 0 ? [bad, later] : [bad]
    const story = tellStories(all, all, Date.parse('2026-01-31T12:00:00Z')).find(({ annotation }) => annotation.id === 'bad')
    expect(story?.annotation.hurtsNow ?? false).toBe(ending === false || ending === 'rolled back, hurts')
    const end = ending === true ? story?.fixedBy : story?.rolledBackBy
    expect(end).toBe(ending === true || /rolled/.test(String(ending)) ? 'later' : undefined)
    const isOver = ending === 'over'
    const { overAt } = story?.annotation.verdictDetails ?? {}
    expect(overAt).toBe(ending === true ? later.time : members.overAt)
    expect(story?.restoreMs).toBe(isOver ? 20 * 60_000 : end && 40 * 60_000)
    const said = isOver
      ? 'Over after 20 min'
      : ending === true
        ? `Over after 40 min, fixed by ${later.type}`
        : 'Rolled back after 40 min'
    const told = ending === 'rolled back' || ending === true || isOver ? `It hurt. ${said}.` : 'It hurt'
    expect(story?.annotation.verdictDetails).toMatchObject({ headline: told, text: `${told.replace(/\.$/, '')}. The rest.` })
  },
)
