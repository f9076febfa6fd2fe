/**
 * Takes the token out of texts that came from outside: a service may echo it in an error, in any spelling.
 */

const SHOWN_INSTEAD = '***'

/** @returns a function that replaces every spelling of the token that it knows in a text */
export function createRedactor(token: string): (text: string) => string {
  let pattern: RegExp | undefined
  return (text) => {
    // Made when the first text comes: most processes get none.
    pattern ??= new RegExp(spell(token).map(escapeRegExp).join('|'), 'gi')
    return text.replace(pattern, SHOWN_INSTEAD)
  }
}

/** The spellings in which programs echo what they were sent, the longest first. */
function spell(token: string): string[] {
  const bytes = Buffer.from(token)
  const characters = [...token]
  const spellings = [
    token,
    characters.toReversed().join(''),
    encodeURIComponent(token),
    characters.map((c) => `%${hex(c)}`).join(''),
    JSON.stringify(token).slice(1, -1),
    characters.map((c) => `\\u00${hex(c)}`).join(''),
    characters.map((c) => `\\x${hex(c)}`).join(''),
    characters.map((c) => `&#${c.charCodeAt(0)};`).join(''),
    characters.map((c) => `&#x${hex(c)};`).join(''),
    bytes.toString('hex'),
    // At each of the three alignments base64 spells the inner characters alike whatever stands around them.
    ...[0, 1, 2].flatMap((offset) => {
      const inner = Buffer.concat([Buffer.alloc(offset), bytes])
        .toString('base64')
        .replace(/=+$/, '')
      const text = inner.slice(offset === 0 ? 0 : offset + 1, inner.length - 1)
      return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
    }),
  ]
  return [...new Set(spellings)].filter((text) => text.length >= Math.min(token.length, 8)).sort((a, b) => b.length - a.length)
}

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
