/** The rows of the table of releases: what is said of each, what finds it, and which hurt most. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Release } from '@deployment-annotations/contract/release'
import { isWorse, type Verdict } from '@deployment-annotations/contract/verdict'
import { expect, test } from '@jest/globals'
import { findRows, listRows, orderByHarm, pickRows, type Row } from '../src/releases/rows.ts'

const at = (minute: number) => new Date(minute * 60_000).toISOString()

function release(version: string, annotation: Partial<Annotation>, more: Partial<Release> = {}) {
  const made = { id: version, datasets: ['web'], type: 'deploy', title: 'A deploy', time: at(0), createdBy: 'tok_1' }
  const isHarmful = isWorse(annotation.verdict)
  return {
    annotation: { ...made, ...annotation },
    service: 'web',
    environment: 'production',
    version,
    isHarmful,
    ...more,
  } as Release
}
const judged = (verdict: Verdict, change: number) =>
  ({
    verdict,
    verdictDetails: { headline: `Sentence ${change}`, series: [{ name: 'errors', verdict, change }] },
  }) as Partial<Annotation>

const rows = listRows(
  [
    release('1.8', { open: true, description: 'Deployed by deploy bot' }),
    release('1.7', judged('worse', 0.3)),
    release('1.6', judged('same', 0), { rollbackOf: '1.5' }),
    release('1.5', judged('same', 0.1), { rolledBackBy: '1.6', restoreMs: 90 * 60_000, isHarmful: true }),
    release('1.4', { endTime: at(4.2), description: 'failed\n\nEnvironment `production`, by `dana`' }, { result: 'failed' }),
    release('1.3', judged('worse', 13)),
    release('1.2', judged('gone', -1)),
    release('1.1', judged('gone', -1), { duplicateOf: '1.2' }),
  ],
  new Map([['tok_1', 'operator']]),
  5 * 60_000,
)
const versions = (list: readonly Row[]) => list.map(({ release: { version } }) => version)

test('what a release did is one sentence, and who made it is who it says', () => {
  expect(rows.map(({ name, sentence, who }) => [name, sentence, who])).toEqual([
    ['web 1.8', 'Going out for 5 min. Verdict 10 min after it is out.', 'deploy bot'],
    ['web 1.7', 'Sentence 0.3', 'operator'],
    ['web 1.6', 'Sentence 0. Rolled back web 1.5.', 'operator'],
    ['web 1.5', 'Sentence 0.1. Rolled back after 1 h.', 'operator'],
    ['web 1.4', 'The pipeline failed after 4 min 12 s. Nothing went out.', 'dana'],
    ['web 1.3', 'Sentence 13', 'operator'],
    ['web 1.2', 'Sentence -1', 'operator'],
  ])
})

test('by harm, what is gone comes first, then the largest change, and what was rolled back', () => {
  expect(versions(orderByHarm(pickRows(rows, ['hurt'])))).toEqual(['1.2', '1.3', '1.7', '1.5'])
  expect(versions(pickRows(rows, ['open', 'failed']))).toEqual(['1.8', '1.4'])
})

test.each([
  ['worse', ['1.7', '1.3', '1.2']],
  ['verdict:gone', ['1.2']],
  ['DANA', ['1.4']],
  ['1.3', ['1.3']],
  ['service:web nothing', ['1.4']],
  ['sentence operator environment:production', ['1.7', '1.6', '1.5', '1.3', '1.2']],
])('“%s” finds a release by its verdict, people, version, service and sentence', (text, found) => {
  expect(versions(findRows(rows, text))).toEqual(found)
})
