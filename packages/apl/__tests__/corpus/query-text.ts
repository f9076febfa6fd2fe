/**
 * Texts that stand in a corpus of documentation and are no queries: snippets of syntax, other languages, templates.
 * Deliberately not here: whether a query is right.
 */

/** Each with the reason that is printed. A text is none of them before it counts as a query. */
const NO_QUERIES: readonly (readonly [reason: string, test: (text: string) => boolean])[] = [
  ['empty', (text) => text.trim() === ''],
  ['JSON', (text) => /^\s*[{[]\s*(?:"\w+"\s*:|\{|$)/.test(text)],
  ['a snippet that begins with an operator', (text) => /^\s*(?:\||(?:where|extend|project|summarize)\s)/.test(text)],
  ['a placeholder: …, <…> or [a | b] for what is to be filled in', hasPlaceholder],
  [
    'another language',
    (text) => /^\s*(?:select|index=|source=|_sourceCategory=|axiom query|\* \||#|\$|curl|let \$|rate\(|sum by)/im.test(text),
  ],
  [
    'a call alone, without a dataset',
    (text) => !text.includes('|') && /^\s*\w+\s*\(/.test(text) && !/^\s*(?:datatable|search|union|print)\b/.test(text),
  ],
  ['several queries', (text) => (text.match(/^\['[^']+'\](?:\s*\||\s*$)/gm) ?? []).length > 1 && !/\blet\b|[(,]\s*$/m.test(text)],
  ['a metrics query', (text) => /^\s*`[^`]+`\s*:/.test(text) || /\|\s*(?:align|map|group)\s/.test(text)],
]

function hasPlaceholder(text: string): boolean {
  const bare = text.replace(/@?"(?:[^"\\\n]|\\.)*"|@?'(?:[^'\\\n]|\\.)*'/g, "''").replace(/\/\/[^\n]*/g, '')
  return /\.\.\.|…|<[A-Za-z][\w ]*>|\[\s*\w[\w-]*\s*(?:\||=)/.test(bare)
}

/** Why a text is no query; `undefined` if it is one. */
export function whyNoQuery(text: string): string | undefined {
  const bare = text.replace(/^\s*\/\/[^\n]*\n/gm, '')
  return NO_QUERIES.find(([, test]) => test(bare))?.[0]
}
