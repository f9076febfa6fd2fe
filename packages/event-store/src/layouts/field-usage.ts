/**
 * What the values of fields are, by the usual names of fields, and the column or index that suits them.
 * Deliberately not here: fields whose names tell nothing, whose values say it (event-layouts.ts).
 */
import type { LayoutKind } from '../schema/field-layout.ts'
import type { UsualNames } from '../upkeep/upkeep.ts'

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
const usageFor = (what: string): FieldUsage => OTHERS.find((usage) => USAGES[usage].some((one) => one === what)) ?? 'few'
const OTHERS = Object.keys(USAGES) as (keyof typeof USAGES)[]

/** @returns what a field is by its name, if that is usual, however it is spelled: `trace_id`, `traceId` and `trace.id` are one name */
export function createUsageOf(usual: UsualNames): (field: string) => FieldUsage | undefined {
  const usages = new Map(
    Object.entries(usual).flatMap(([what, names]) => names.map((name) => [spell(name), usageFor(what)] as const)),
  )
  return (field) => usages.get(spell(field))
}

/** Without the objects that OpenTelemetry's attributes are in. */
function spell(name: string): string {
  const own = name.replace(/^(?:attributes|resource)\.(?:custom\.)?/, '')
  return own.replaceAll(/[\\._-]/g, '').toLowerCase()
}
