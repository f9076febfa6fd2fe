/** Writes names for queries and for people. Pure. */
import { cutText } from '@deployment-annotations/contract/text'

/** These words mean something else where a name could be. */
const RESERVED = new Set(
  'and or not by in between asc desc nulls true false null on kind with from to step default let print union dynamic'.split(' '),
)
const PLAIN = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u
/** Matches control characters, marks of direction, characters without width, and halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** @returns the name unchanged if a query allows that, and `['…']` otherwise, without invisible characters */
export function writeName(name: string): string {
  if (PLAIN.test(name) && !name.split('.').some((part) => RESERVED.has(part))) return name
  return quoteName(name)
}

export function quoteName(name: string): string {
  return `[${quoteText(name)}]`
}

/** @returns the text as a string of a query, without invisible characters */
export function quoteText(text: string): string {
  return `'${showUnseen(text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`
}

/** @returns the text with invisible characters as `\u{…}`, so that it cannot be mistaken for another one */
export function showUnseen(text: string): string {
  return text.replaceAll(UNSEEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}

/** @returns the beginning of a text whose length nobody knows, by default as much as a name may take, without invisible characters */
export function showBeginning(text: string, pointsMax = 120): string {
  return cutText(showUnseen(text), pointsMax)
}

/** @returns the name of a field as people write it: the service puts a backslash before a dot that is part of a key */
export function showName(name: string): string {
  return name.replace(/\\([.\\])/g, '$1')
}

/** Puts `field_2` before `field_10`. */
export const compareNames = new Intl.Collator('en', { numeric: true }).compare
