/**
 * Fields whose values are all texts, or all whole numbers, as the table has them: inside the events, and what it may keep of them beside
 * the events so that they are found sooner. Whoever makes such columns and indexes and the compiler say the same of them by this file.
 * Deliberately not here: which fields have what; the dataset says that (`Dataset.layoutOf`).
 */
import { quoteName } from './sql.ts'

/** What the table keeps of a field beside the events. */
export type ValueLayout =
  /** A column of {@link storedText} or {@link storedInteger}, by its name. */
  | { readonly column: string }
  /** An index over the words of {@link lowered} of {@link storedText}. */
  | 'words'

/** Even in quotes the engine reads these as its own: a cast, a sub-object, or nothing. */
export function hasOwnMeaning(path: string): boolean {
  return path === '' || /(?:^|\.)[:^@]`/.test(path)
}

/** The texts of a field: NULL where the event has none, or another value. `undefined` for a path that cannot be written. */
export function storedText(path: string): string | undefined {
  return hasOwnMeaning(path) ? undefined : `data.${quoteName(path)}.:String`
}

/** The same of whole numbers. */
export function storedInteger(path: string): string | undefined {
  return hasOwnMeaning(path) ? undefined : `data.${quoteName(path)}.:Int64`
}

/** A text as an index of words has it: ASCII letters are small ones, and it is never NULL, of which the engine makes no such index. */
export const lowered = (text: string) => `lower(ifNull(${text}, ''))`
