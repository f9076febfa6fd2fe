/**
 * The call of a function that is being written at the cursor.
 */
import { lexUnfinished } from '@deployment-annotations/apl/unfinished'
import type { LanguageFunction } from '../service/language.ts'

let kept = { apl: '', draft: '' }

export const unfinished = {
  /** @returns the draft that was left of this query; the query itself where none was */
  of: (apl: string): string => (kept.apl === apl && kept.draft !== '' ? kept.draft : apl),

  keep(apl: string, draft: string): void {
    kept = { apl, draft }
  },

  /** @returns whether there is a draft where no query was run yet */
  isThere: (): boolean => kept.apl === '' && kept.draft !== '',
}

export interface WrittenCall {
  /** `substring(source, startingIndex, [length])`, and the stretch of it that names the argument at the place. */
  signature: string
  from: number
  to: number
  example: LanguageFunction['example']
}

/** @returns the innermost call around the place of a function that is known */
export function readCall(text: string, caret: number, functions: readonly LanguageFunction[]): WrittenCall | undefined {
  const pieces = lexUnfinished(text).filter(({ kind, start }) => kind !== 'comment' && start < caret)
  /** Open brackets: the word before each, and the commas in it so far. */
  const open: { name: string; commas: number }[] = []
  pieces.forEach(({ kind, text: written }, at) => {
    if (kind !== 'symbol') return
    const before = pieces[at - 1]
    if (/^[([{]$/.test(written)) open.push({ name: written === '(' && before?.kind === 'word' ? before.text : '', commas: 0 })
    else if (/^[)\]}]$/.test(written)) open.pop()
    else if (written === ',' && open.length > 0) (open.at(-1) as { commas: number }).commas += 1
    // Behind a pipe that is in no bracket an earlier one was left open.
    else if (written === '|' && open.at(-1)?.name !== '') open.length = 0
  })
  for (const { name, commas } of open.reverse()) {
    const found = functions.find((one) => one.name === name)
    if (found) return markArgument(found, commas)
  }
  return undefined
}

/** One that may be repeated stands for all that follow. */
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
