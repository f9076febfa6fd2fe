/**
 * The queries in a text that stands in a corpus of documentation: what is written around them is taken away, a snippet that begins
 * with an operator is put behind a dataset, and several queries are told apart. Other texts are no queries: signatures, other
 * languages, templates.
 * Deliberately not here: whether a query is right.
 */

/** What a snippet is put behind. */
const SAMPLE = "['sample']"

/** Without comments, and with nothing in its strings. */
const bareOf = (text: string) =>
  text.replace(/@?"(?:[^"\\\n]|\\.)*"|@?'(?:[^'\\\n]|\\.)*'|(\/\/[^\n]*)/g, (_found, comment?: string) =>
    comment === undefined ? "''" : '',
  )

const PLACEHOLDER =
  /\.\.\.|…|<[A-Za-z][\w ]*>|\[\s*\w[\w-]*\s*(?:\||=)|\[\s*(?:,|by\b)|\$\{|\$[A-Z]|\b(?:KindOf|ProportionOf)|\[?\b[NT]\b\]?(?=\s+by|\s*$)/

/** Calls with nothing but names for their arguments, one a line. */
const isSignature = (text: string) =>
  bareOf(text)
    .split('\n')
    .every((line) =>
      /^\s*(?:summarize\s+)?(?:\w+\s*\((?:[\s,:[\]]|\b[A-Za-z_]\w*)*\)|\[''\]\s*\([^)]*\))(?:\s*:\s*\w+)?\s*$|^\s*$/.test(line),
    )

const isCutOff = (text: string) => /(?:[(,=<>\\]|\b(?:contains|contains_cs|has|and|or|where|by|in))\s*$/.test(bareOf(text))

function isNoPipeline(text: string): boolean {
  const bare = bareOf(text)
  if (bare.includes('|') || /^\s*(?:datatable|search|union|print|let[^;]*;)/.test(bare)) return false
  return /^\s*(?:''|set\s|let\s)/.test(bare) || /^[^(]*(?:[!=]~|!?in~?\s*\()/.test(bare) || bare.trim().includes('\n')
}

const SQL_OR_SHELL = /^\s*(?:select|axiom query|curl|sum by|#|\$)/im
const SPLUNK_OR_SUMO =
  /^\s*(?:index=|source=|_sourceCategory=|\* \|)|\|\s*(?:stats|timechart|rex|table|eval|axdatasets|axfields)\s|\b(?:AND|NOT)\s|\bcidrmatch\(|\|\s*top limit=|\|\s*sort - |^\s*\w+\{[^}|]*\}/m

/** Each with the reason that is printed. */
const NO_QUERIES: readonly (readonly [reason: string, test: (text: string) => boolean])[] = [
  ['empty', (text) => text.trim() === ''],
  ['JSON', (text) => /^\s*[{[]\s*(?:"\w+"\s*:|\{|$)/.test(text)],
  [
    'a metrics query',
    (text) => /^\s*`?[\w-]+`?:`?[\w.]+`?\s*$/m.test(text) || /\|\s*(?:align|compute|map|group|bucket)\s/.test(text),
  ],
  [
    'a placeholder: …, <…>, $NAME or [a | b] for what is to be filled in',
    (text) => PLACEHOLDER.test(bareOf(text)) || text.includes('${'),
  ],
  ['a signature', isSignature],
  ['a text that is cut off', isCutOff],
  ['another language', (text) => SPLUNK_OR_SUMO.test(bareOf(text)) || (SQL_OR_SHELL.test(text) && !/^\s*\[?['"]/.test(text))],
  ['an expression, a name or a statement alone', isNoPipeline],
]

/** Parts under headings such as `# APL`, without those of other languages, and without what the text itself calls wrong. */
function parts(text: string): string[] {
  const marked = /^\s*#+ (?:SPL|APL)\b/m.test(text)
  const sections = marked ? text.split(/^(?=\s*#)/m).filter((part) => /^\s*#+ APL\b/.test(part)) : [text]
  return sections
    .map((part) => part.replace(/^\s*#[^\n]*\n/, ''))
    .flatMap((part) => part.split(/^(?=\s*\/\/\s*(?:WRONG|CORRECT|OR)\b)|\n- [^\n:|]+: (?=\[')/m))
    .filter((part) => !/^\s*\/\/\s*WRONG\b/.test(part))
}

/** The text inside `axiom query "…"`, and without the end of the document that a script has it in. */
function withoutShell(text: string): string {
  const quoted = /^\s*axiom query "((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return (quoted ?? text).replace(/\n\s*EO[TF]\b[\s\S]*$/, '')
}

/** A new query begins at a dataset at the start of a line, and at an operator after an empty line. */
function apart(text: string): string[] {
  const paragraphs = text.split(/\n\s*\n(?=(?:\s*\/\/[^\n]*\n)*\s*(?:\||\['[^']+'\]\s*(?:\||$)))/m)
  return paragraphs.flatMap((paragraph) => {
    const lines = paragraph.split(/\n(?=\['[^']+'\]\s*(?:\||$)|(?:search|union)\s)/m)
    const found: string[] = []
    for (const line of lines) {
      const before = found.at(-1)
      // Behind `let a = …;` the dataset belongs to the statement before it; behind a comma or a word to a list.
      if (before !== undefined && /(?:[;,(=]|\bunion|^)$/.test(bareOf(before).trim()))
        found[found.length - 1] = `${before}\n${line}`
      else found.push(line)
    }
    return found
  })
}

/** A snippet behind a dataset, a call as a column. */
function completed(text: string): string {
  const bare = text.replace(/^(?:\s*\/\/[^\n]*\n)+/, '').trim()
  const begins = /^(?:\.\.\.\s*)?\|/.exec(bare)?.[0]
  if (begins !== undefined) return `${SAMPLE}\n| ${bare.slice(begins.length)}`
  if (/^(?:where|extend|project|summarize)\s/.test(bare)) return `${SAMPLE}\n| ${bare}`
  if (!bare.includes('|') && /^\w+\s*\(/.test(bare) && !/^(?:datatable|externaldata|table|search|union|print)\b/.test(bare))
    return `${SAMPLE}\n| ${/^(?:topk|histogram|rate)/.test(bare) ? 'summarize' : 'extend answer ='} ${bare}`
  return text
}

/** The queries of a text, or why there is none. */
export function queriesIn(text: string): { readonly queries: readonly string[] } | { readonly reason: string } {
  const found = parts(text).map(withoutShell)
  const reason = whyNone(found.join('\n'))
  if (reason !== undefined) return { reason }
  const queries = found.flatMap(apart).filter((one) => bareOf(one).trim() !== '')
  const why = queries.map(whyNone).find((one) => one !== undefined)
  return why === undefined ? { queries: queries.map(completed) } : { reason: why }
}

function whyNone(text: string): string | undefined {
  const bare = text.replace(/^\s*\/\/[^\n]*\n/gm, '').replace(/^\s*\.\.\.\s*(?=\|)/, '')
  return NO_QUERIES.find(([, test]) => test(bare))?.[0]
}
