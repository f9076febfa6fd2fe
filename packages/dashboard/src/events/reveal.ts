/**
 * Makes invisible characters visible, and those that reverse the order of others: a text with them may read as another one. Pure.
 * Deliberately not here: joiners, which scripts and emoji need.
 */

interface TextPart {
  text: string
  isHidden: boolean
}

/**
 * Matches control characters except tabs and line ends, marks and overrides of direction, and spaces without width. Equal ones in a row
 * are one match.
 */
const HIDDEN =
  /([\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff])\1*/g

/** @returns the parts of the text, with hidden characters as `U+202E` or `U+202E ×3` */
export function reveal(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(HIDDEN)) {
    if (index > end) parts.push({ text: text.slice(end, index), isHidden: false })
    const code = `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
    parts.push({ text: found.length > 1 ? `${code} ×${found.length}` : code, isHidden: true })
    end = index + found.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isHidden: false })
  return parts
}
