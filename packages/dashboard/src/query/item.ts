/** One name that completion offers: its label and the text that it inserts. Pure. */
import type { Field } from '../service/datasets.ts'
import type { LanguageFunction } from '../service/language.ts'
import { quoteName, writeName } from './name.ts'

export interface Item {
  kind: 'dataset' | 'field' | 'operator' | 'function'
  label: string
  /** The type of a field, or the parameters of a function. */
  detail: string
  /** The text that replaces `[from, to)`. */
  insert: string
  /** The position of the cursor from the end of the inserted text: 1 is between the brackets of a function. */
  caretBack: number
}

const plain = (kind: Item['kind'], label: string, detail: string, insert = label): Item => ({
  kind,
  label,
  detail,
  insert,
  caretBack: 0,
})

export const itemOfDataset = (name: string) => plain('dataset', name, 'dataset', quoteName(name))

export const itemOfSource = ({ name }: { name: string }) => plain('dataset', name, 'records', quoteName(name))

export const itemOfField = ({ name, type }: Field) => plain('field', name, type, writeName(name))

export const itemOfOperator = (name: string, signature: string) =>
  plain('operator', name, signature.startsWith(`${name} `) ? signature.slice(name.length + 1) : '')

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
