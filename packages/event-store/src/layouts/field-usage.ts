/**
 * What the values of fields are, by what the fields are, and the column or index that suits them.
 * Deliberately not here: fields whose names tell nothing, whose values say it (event-layouts.ts).
 */
import type { LayoutKind } from '../schema/field-layout.ts'

/**
 * Few different values, values that differ in nearly every event, texts of words, and whole numbers of any size. Of many values, each is
 * in some events, which neither a column nor an index suits.
 */
export type FieldUsage = 'few' | 'id' | 'text' | 'amount' | 'many'

/** By the type of all values of a field; those of other types have none. */
export const KINDS: Readonly<Record<FieldUsage, Partial<Record<'string' | 'integer', LayoutKind>>>> = {
  few: { string: 'column', integer: 'codes' },
  amount: { integer: 'integers' },
  id: { string: 'values' },
  text: { string: 'words' },
  many: {},
}

/** What is under none of these has few values. */
const USAGES = { amount: ['milliseconds', 'duration', 'bytes'], text: ['message'], id: ['id'], many: ['path'] } as const
const OTHERS = Object.keys(USAGES) as (keyof typeof USAGES)[]

/** @returns what the values of a field are, by what it is */
export const usageFor = (kind: string): FieldUsage => OTHERS.find((usage) => USAGES[usage].some((one) => one === kind)) ?? 'few'
