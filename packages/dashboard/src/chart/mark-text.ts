/** What stands on the button of marks, whole and where there is less room. Pure. */
import { titleOf } from '../annotations/annotation-view.ts'
import { RESULT_SIGNS, resultOf } from '../annotations/result.ts'
import { fitTitle, type Measure } from './fit-title.ts'
import { commonType, type Mark } from './marks.ts'

/** Of one of several marks; the others are counted behind it. */
interface MarkText {
  sign: string
  title: string
  others: string
}

/** @returns with all that there is to say */
export function wholeText(marks: readonly Mark[]): string {
  const { sign, title, others } = partsOf(marks)
  return sign + title + others
}

interface FittedText {
  text: string
  /** It is how many marks there are, and no title. */
  isCount: boolean
}

/** @param room in pixels. @returns the part of it that fits; without room for a title, how many marks there are */
export function fitText(marks: readonly Mark[], room: number, measure: Measure): FittedText {
  const { sign, title, others } = partsOf(marks)
  const fitted = fitTitle(title, room - measure(sign + others), measure)
  if (fitted !== '') return { text: sign + fitted + others, isCount: false }
  const isCount = marks.length > 1
  return { text: isCount ? formatShort(marks.length) : sign.trim() || '•', isCount }
}

/** The title is that of a mark which has the colour of the button. */
function partsOf(marks: readonly Mark[]): MarkText {
  const type = commonType(marks)
  const shown = marks.find(({ annotation }) => annotation.type === type)?.annotation
  if (!shown) return { sign: '', title: '', others: '' }
  const result = resultOf(shown)
  return {
    sign: result ? `${RESULT_SIGNS[result]} ` : '',
    title: titleOf(shown),
    others: marks.length > 1 ? ` +${formatShort(marks.length - 1)}` : '',
  }
}

/** Such as `1.2k`: four letters fit. */
function formatShort(count: number): string {
  return count < 1_000 ? String(count) : `${count < 10_000 ? (count / 1_000).toFixed(1) : Math.round(count / 1_000)}k`
}
