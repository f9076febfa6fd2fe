/**
 * Takes the token out of texts that came from outside: a service may echo it, in any spelling.
 */

/** A character as it is, or as programs escape it for JSON and JavaScript, URLs or HTML, once or several times over. */
const CHARACTER =
  /(?<!\\)\\+[nrt]|(?<!\\)\\+(?:u00|u\{0*|x)([\da-fA-F]{2})\}?|%(?:25)*([\da-fA-F]{2})|&(?:amp;)*(?:#0*(\d+)|#[xX]0*([\da-fA-F]+)|(amp|lt|gt|quot|apos));?|./gs

/** Bytes as programs print them one by one, in decimal and in hexadecimal digits. */
const BYTES = [/()()(\d{2,3})(?:[,\s]+|\b)|./gs, /([\da-f]{2})(?:[:,\s-]+|\b)|./gis]

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** @returns a function that replaces the token in a text, however it is written there; of a user and a password also the latter alone */
export function createRedactor(token: string): (text: string) => string {
  const password = token.slice(token.indexOf(':') + 1)
  const secrets = [token, ...(password.length >= 6 ? [password] : [])].filter((secret) => secret !== '')
  let spellings: string[][] | undefined
  return (text) => {
    // No spelling is shorter; most of what a service answers is, and costs nothing.
    if (secrets.every(({ length }) => text.length < length)) return text
    spellings ??= secrets.map(spell)
    // To read a text character by character takes milliseconds of the step's time, and most have no escapes to be read.
    const solid = text.toLowerCase().replace(/\s+/g, '')
    if (!/[\\%&]|(?:[\da-f]{2,3}[:,\s-]+){6}/i.test(text) && !spellings.flat().some((spelling) => solid.includes(spelling)))
      return text
    // The whole first: a part that is out would hide the rest.
    const patterns = [/./gs, CHARACTER, ...BYTES]
    return spellings.reduce((shown, all) => patterns.reduce((rest, one) => takeOut(rest, one, all), shown), text)
  }
}

/** The spellings of the token that are no escapes of single characters, in lower case. */
function spell(token: string): string[] {
  const bytes = [...new TextEncoder().encode(token)]
  // At each of the three alignments base64 spells the inner characters alike whatever stands around them.
  const inBase64 = [0, 1, 2].flatMap((offset) => {
    const all = btoa(' '.repeat(offset) + String.fromCharCode(...bytes)).replace(/(?<!=)=+$/, '')
    const inner = all.slice(offset === 0 ? 0 : offset + 1, -1)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const spellings = [
    token,
    [...token].toReversed().join(''),
    encodeURIComponent(token),
    bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    ...inBase64,
  ]
  return spellings.map((text) => text.toLowerCase()).filter((text) => text.length >= Math.min(token.length, 8))
}

/** @param pattern what stands for one character: at first each for itself, and then escapes, which a character before may hide */
function takeOut(text: string, pattern: RegExp, spellings: readonly string[]): string {
  const { plain, places } = readPlain(text, pattern)
  const shown = text.split('')
  for (const wanted of [/./gs, pattern].flatMap((how) => spellings.map((spelling) => readPlain(spelling, how).plain))) {
    for (let at = plain.indexOf(wanted); wanted !== '' && at !== -1; at = plain.indexOf(wanted, at + 1)) {
      const start = places[at]?.start ?? 0
      shown.fill('', start, places[at + wanted.length - 1]?.end)
      shown[start] = '***'
    }
  }
  return shown.join('')
}

/** In lower case, and without whitespace and backslashes, which may be anywhere in between. */
function readPlain(text: string, pattern: RegExp): { plain: string; places: { start: number; end: number }[] } {
  const characters = [...text.matchAll(pattern)]
    .map((match) => ({ read: decode(match), start: match.index, end: match.index + match[0].length }))
    .filter(({ read }) => !/^[\s\\]*$/.test(read))
  return { plain: characters.map(({ read }) => read).join(''), places: characters }
}

function decode([all, inScript, inUrl, decimal, inHtml, name]: RegExpExecArray): string {
  const code = decimal === undefined ? Number.parseInt(inScript ?? inUrl ?? inHtml ?? '', 16) : Number(decimal)
  const read = Number.isNaN(code) ? (NAMED[name ?? ''] ?? all) : String.fromCharCode(code)
  const lower = read.toLowerCase()
  return lower.length === 1 ? lower : read.slice(0, 1)
}
