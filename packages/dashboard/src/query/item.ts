/** One name that completion offers: how it looks, and what taking it writes. Pure. */
import type { Field } from '../service/datasets.ts'
import type { LanguageFunction } from '../service/language.ts'
import { quoteName, writeName } from './name.ts'

export interface Item {
  kind: 'dataset' | 'field' | 'operator' | 'function'
  /** As people see it. */
  label: string
  /** A field's type, a function's parameters. */
  detail: string
  /** What is written in place of `[from, to)`. */
  insert: string
  /** Where the caret goes, counted from the end of what was written: 1 is between the brackets of a function. */
  caretBack: number
}

export const itemOfDataset = (name: string): Item => ({
  kind: 'dataset',
  label: name,
  detail: 'dataset',
  insert: quoteName(name),
  caretBack: 0,
})

export const itemOfSource = ({ name }: { name: string }): Item => ({ ...itemOfDataset(name), detail: 'records' })

export const itemOfField = ({ name, type }: Field): Item => ({
  kind: 'field',
  label: name,
  detail: type,
  insert: writeName(name),
  caretBack: 0,
})

export const itemOfOperator = (name: string, signature: string): Item => ({
  kind: 'operator',
  label: name,
  detail: signature.startsWith(`${name} `) ? signature.slice(name.length + 1) : '',
  insert: name,
  caretBack: 0,
})

export function itemOfFunction({ name, parameters, signature }: LanguageFunction, bracketFollows: boolean): Item {
  const hasNone = parameters.length === 0
  const insert = bracketFollows ? name : `${name}()`
  return {
    kind: 'function',
    label: name,
    detail: signature.slice(name.length),
    insert,
    caretBack: bracketFollows || hasNone ? 0 : 1,
  }
}
