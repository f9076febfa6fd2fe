/** The texts on the button of marks, in full and shortened. Pure. */
import { isLive } from '@deployment-annotations/compare/environments'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isRollback } from '@deployment-annotations/contract/release'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { titleOf } from '../annotations/annotation-view.ts'
import { signOf, stateOf } from '../annotations/verdict.ts'
import { ranked, rankOf } from '../changes/ranked.ts'
import { fitTitle, type Measure } from './fit-title.ts'
import { type Mark, mostUrgent } from './marks.ts'

/** @returns the whole text */
export function wholeText(marks: readonly Mark[]): string {
  const { sign, text } = textOf(marks)
  return sign + text
}

/**
 * @param room in pixels
 * @returns the part of the text that fits, or the sign alone if none does; the sign stands in front of it, and its meaning is in the name
 *   of the button. Of several marks it is their number
 */
export function fitText(marks: readonly Mark[], room: number, measure: Measure) {
  const { sign, text } = textOf(marks)
  if (marks.length > 1) return { sign: measure(sign + text) <= room ? sign : '', text, isCount: true }
  const fitted = fitTitle(text, room - measure(sign), measure)
  return { sign: fitted === '' ? sign.trim() || '•' : sign, text: fitted, isCount: false }
}

/** Several marks are not called after one of them; the sign is that of the most urgent, if it hurt. */
function textOf(marks: readonly Mark[]) {
  const [only, ...others] = marks
  if (!only) return { sign: '', text: '' }
  if (ranked.value.length > 0) return { sign: '', text: rankText(marks) }
  if (others.length === 0) return { sign: toldSign(only.annotation), text: labelOf(only.annotation) }
  const urgent = mostUrgent(marks)
  return { sign: isWorse(urgent.verdict) ? toldSign(urgent) : '', text: formatShort(marks.length) }
}

/** @returns their numbers in the list of what changed; of more than three, the first alone */
function rankText(marks: readonly Mark[]): string {
  const ranks = marks.map(({ annotation }) => rankOf(annotation)).sort((a, b) => a - b)
  return ranks.length > 3 ? `${ranks[0]}+` : ranks.join(' ')
}

/** That nothing is known is not worth the room. */
function toldSign(annotation: Annotation): string {
  const sign = stateOf(annotation) === 'unknown' ? '' : signOf(annotation)
  return sign === '' ? '' : `${sign} `
}

/** The version alone says which release of the chart's own service it is; a rollback, and what is not live, needs its title. */
function labelOf(annotation: Annotation): string {
  const { datasets, service = datasets[0], version } = annotation
  const isOwn = datasets.length === 1 && service === datasets[0] && isLive(annotation) && !isRollback(annotation)
  return (isOwn && version) || titleOf(annotation)
}

/** @returns such as `1.2k`, because four characters fit */
function formatShort(count: number): string {
  return count < 1_000 ? String(count) : `${count < 10_000 ? (count / 1_000).toFixed(1) : Math.round(count / 1_000)}k`
}
