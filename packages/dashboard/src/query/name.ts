/** Names as a query writes them and as people see them. Pure. */

/** Words that mean something else where a name could stand. */
const RESERVED = new Set(
  'and or not by in between asc desc nulls true false null on kind with from to step default let print union dynamic'.split(' '),
)
const PLAIN = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u
/** Controls, marks that change the direction of a text, what has no width, and halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** @returns the name as it is if it may stand so, otherwise `['…']`, with nothing in it that cannot be seen */
export function writeName(name: string): string {
  if (PLAIN.test(name) && !name.split('.').some((part) => RESERVED.has(part))) return name
  return quoteName(name)
}

export function quoteName(name: string): string {
  return `[${quoteText(name)}]`
}

/** @returns the text as a query writes one, with nothing in it that cannot be seen */
export function quoteText(text: string): string {
  return `'${showUnseen(text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`
}

/** @returns the text with what cannot be seen written as `\u{…}`, so that it cannot pass for another one */
export function showUnseen(text: string): string {
  return text.replaceAll(UNSEEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}
