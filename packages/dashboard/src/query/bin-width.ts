/** The width of a query's intervals, which the query names or leaves open. Pure. */
import { applyEdits, type Edit } from '@deployment-annotations/apl/error'
import { readWords, type Word } from './words.ts'

/** @returns whether the query leaves the width open */
export function leavesBinOpen(apl: string): boolean {
  return withBinWidth(apl, '1m') !== apl
}

/** @returns the query with `bin(…, width)` wherever it says `bin_auto(…)` */
export function withBinWidth(apl: string, width: string): string {
  const edits: Edit[] = []
  /** The word before each open bracket. */
  const open: (Word | undefined)[] = []
  const words = readWords(apl)
  for (const [at, bracket] of words.entries()) {
    if (bracket.text === '(') open.push(words[at - 1])
    if (bracket.text !== ')') continue
    const name = open.pop()
    if (name?.text === 'bin_auto') edits.push({ span: name, text: 'bin' }, { span: bracket, text: `, ${width})` })
  }
  return applyEdits(apl, edits)
}
