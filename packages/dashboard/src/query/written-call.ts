/** The function call at the cursor, and the draft of a query that was left. */
import { lexUnfinished } from '@deployment-annotations/apl/text/unfinished'
import type { LanguageFunction } from '../service/language.ts'

let last = { apl: '', draft: '' }

export const unfinished = {
  /** @returns the draft that was left of a query, or the query itself */
  of: (apl: string): string => (last.apl === apl && last.draft !== '' ? last.draft : apl),

  keep(apl: string, draft: string): void {
    last = { apl, draft }
  },

  /** @returns whether a draft was left before any query was run */
  isThere: (): boolean => last.apl === '' && last.draft !== '',
}

export interface WrittenCall {
  /** Such as `substring(source, startingIndex, [length])`, with the range of the argument at the cursor. */
  signature: string
  from: number
  to: number
  example: LanguageFunction['example']
}

/** @returns the innermost call of a known function around the cursor */
export function readCall(text: string, caret: number, functions: readonly LanguageFunction[]): WrittenCall | undefined {
  const pieces = lexUnfinished(text).filter(({ kind, start }) => kind !== 'comment' && start < caret)
  /** The open brackets, each with the word before it and the number of commas in it. */
  const open: { name: string; commas: number }[] = []
  pieces.forEach(({ kind, text: written }, at) => {
    if (kind !== 'symbol') return
    const before = pieces[at - 1]
    if (/^[([{]$/.test(written)) open.push({ name: written === '(' && before?.kind === 'word' ? before.text : '', commas: 0 })
    else if (/^[)\]}]$/.test(written)) open.pop()
    else if (written === ',' && open.length > 0) (open.at(-1) as { commas: number }).commas += 1
    // A pipe outside brackets means that an earlier bracket was not closed.
    else if (written === '|' && open.at(-1)?.name !== '') open.length = 0
  })
  for (const { name, commas } of open.reverse()) {
    const found = functions.find((one) => one.name === name)
    if (found) return markArgument(found, commas)
  }
  return undefined
}

/** A repeated parameter stands for all arguments that follow. */
function markArgument({ name, signature, parameters, arguments: names, example }: LanguageFunction, at: number): WrittenCall {
  const repeated = parameters.findIndex((parameter) => parameter.endsWith('*'))
  const wanted = repeated < 0 ? at : Math.min(at, repeated)
  let [from, to] = [0, name.length]
  for (const argument of names.slice(0, wanted + 1)) {
    from = signature.indexOf(argument, to)
    to = from + argument.length
  }
  return wanted < names.length ? { signature, from, to, example } : { signature, from: 0, to: 0, example }
}
