/** The texts on the button of marks, in full and shortened. Pure. */
import { titleOf } from '../annotations/annotation-view.ts'
import { RESULT_SIGNS, resultOf } from '../annotations/result.ts'
import { signOf, toneOf } from '../annotations/verdict.ts'
import { fitTitle, type Measure } from './fit-title.ts'
import { commonType, type Mark } from './marks.ts'

/** @returns the whole text */
export function wholeText(marks: readonly Mark[]): string {
  const { sign, title, others } = partsOf(marks)
  return sign + title + others
}

/**
 * @param room in pixels
 * @returns the part of the text that fits, or the number of marks if no title fits; the sign stands in front of it, and its meaning is in
 *   the name of the button
 */
export function fitText(marks: readonly Mark[], room: number, measure: Measure) {
  const { sign, title, others } = partsOf(marks)
  const fitted = fitTitle(title, room - measure(sign + others), measure)
  if (fitted !== '') return { sign, text: fitted + others, isCount: false }
  const isCount = marks.length > 1
  return isCount ? { sign: '', text: formatShort(marks.length), isCount } : { sign: sign.trim() || '•', text: '', isCount }
}

/** The sign and the title of one mark, and the number of the others. The title is that of a mark whose type gives the button its color. */
function partsOf(marks: readonly Mark[]) {
  const type = commonType(marks)
  // One that hurt is named before all others.
  const bad = marks.find(({ annotation }) => toneOf(annotation) === 'bad')
  const shown = (bad ?? marks.find(({ annotation }) => annotation.type === type))?.annotation
  if (!shown) return { sign: '', title: '', others: '' }
  const result = resultOf(shown)
  // What became of the pipeline says nothing more once the release is judged, unless it was not well.
  const isWell = result === 'succeeded' && shown.verdict !== undefined
  const signs = [shown.verdict === 'inconclusive' ? '' : signOf(shown), result && !isWell ? RESULT_SIGNS[result] : ''].filter(
    (sign) => sign !== '',
  )
  return {
    sign: signs.map((sign) => `${sign} `).join(''),
    title: titleOf(shown),
    others: marks.length > 1 ? ` +${formatShort(marks.length - 1)}` : '',
  }
}

/** @returns such as `1.2k`, because four characters fit */
function formatShort(count: number): string {
  return count < 1_000 ? String(count) : `${count < 10_000 ? (count / 1_000).toFixed(1) : Math.round(count / 1_000)}k`
}
