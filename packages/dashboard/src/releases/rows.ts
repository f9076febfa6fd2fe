/** The releases as rows of the table: what is said of each, which are picked, and in which order. Pure. */
import { rankByHarm } from '@deployment-annotations/compare/verdict'
import type { Release } from '@deployment-annotations/contract/release'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { titleOf } from '../annotations/annotation-view.ts'
import { whoMade } from '../annotations/made-by.ts'
import { headlineOf, roundDuration } from '../annotations/verdict.ts'
import { hasWords, wordsOf } from '../annotations/visible.ts'
import type { Makers } from '../service/makers.ts'

export interface Row {
  release: Release
  name: string
  /** What it did, in one sentence. */
  sentence: string
  who: string
}

/** What the chips above the table pick. */
export const KINDS: readonly (readonly [name: string, words: string, is: (release: Release) => boolean])[] = [
  ['hurt', 'Hurt', ({ isHarmful }) => isHarmful],
  ['open', 'Open', ({ annotation }) => annotation.open === true],
  ['failed', 'Failed', ({ result }) => result === 'failed'],
]

export const ORDERS = [
  ['newest', 'Newest first'],
  ['harm', 'By harm'],
] as const

/** @param makers absent while they are not known @returns a row for each, but for duplicates */
export function listRows(releases: readonly Release[], makers: Makers | undefined, nowMs: number): Row[] {
  const names = new Map(releases.map((one) => [one.annotation.id, nameOf(one)]))
  return releases
    .filter(({ duplicateOf }) => duplicateOf === undefined)
    .map((release) => ({
      release,
      name: nameOf(release),
      sentence: tell(release, names, nowMs),
      who: makers ? (whoMade(release.annotation, makers) ?? '') : '',
    }))
}

const nameOf = ({ annotation, service, version }: Release) =>
  version === undefined ? titleOf(annotation) : `${service} ${version}`

/** @returns the sentence of the verdict, and what else became of it: the sentence of what hurt says how that ended, and that of a fix what it fixed */
function tell(
  { annotation, rollbackOf, rolledBackBy, restoreMs }: Release,
  names: ReadonlyMap<string, string>,
  nowMs: number,
): string {
  const headline = headlineOf(annotation, nowMs)
  const sentence = headline.endsWith('.') ? headline : `${headline}.`
  if (rolledBackBy !== undefined && !isWorse(annotation.verdict))
    return `${sentence} Rolled back after ${roundDuration(restoreMs ?? 0)}.`
  if (rollbackOf !== undefined && !headline.includes('. Fixed '))
    return `${sentence} Rolled back ${names.get(rollbackOf) ?? 'an earlier release'}.`
  return headline
}

/** @param kinds the names of those that are picked, if any */
export function pickRows(rows: readonly Row[], kinds: readonly string[]): readonly Row[] {
  const picked = KINDS.filter(([name]) => kinds.includes(name))
  return picked.length === 0 ? rows : rows.filter(({ release }) => picked.some(([, , is]) => is(release)))
}

/** @returns those that have all of the words: in the annotation, in what is said of it, or such as `verdict:worse` */
export function findRows(rows: readonly Row[], text: string): readonly Row[] {
  const words = wordsOf(text)
  return rows.filter(({ release: { annotation, service, environment }, ...said }) =>
    hasWords(annotation, words, [...Object.values(said), `service:${service}`, `environment:${environment}`]),
  )
}

/** @returns what hurt most first: by its verdict, and how sure and large its worst change is; what did not hurt comes after that, in its order */
export const orderByHarm = (rows: readonly Row[]): Row[] =>
  rankByHarm(rows.map((row) => ({ ...harmOf(row.release), row }))).map(({ row }) => row)

function harmOf({ annotation, isHarmful }: Release) {
  const { verdict = 'same', verdictDetails } = annotation
  const [worst] = rankByHarm((verdictDetails?.series ?? []).map((one) => ({ ...one, change: one.change ?? 0 })))
  if (worst && isWorse(verdict)) return worst
  // Of what was rolled back, the verdict may not say that it hurt.
  return { verdict: isHarmful ? ('worse' as const) : verdict, name: '', change: 0 }
}
