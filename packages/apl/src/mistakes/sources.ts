/**
 * What a query of another language begins with: `SELECT …`, `index=web`, `{app="web"}`, `fetch logs`, `sum(rate(x[5m]))`.
 * Deliberately not here: what comes behind a dataset.
 */
import { CompileError, spanning } from '../error.ts'
import { writeText } from '../text/nearest.ts'
import type { Look } from './habits.ts'

const SQL_BEGINS = new Set(['select', 'with', 'from', 'explain', 'show', 'describe'])
const WORDS_BEFORE = new Set(['fetch', 'source', 'from', 'dataset', 'table', 'index'])

const isEnd = (look: Look, ahead: number) => look(ahead).kind === 'end' || ['|', ';', ')'].includes(look(ahead).text)
const quoted = (name: string) => `['${name}']`

export function mistakenSource(look: Look): CompileError | undefined {
  const [token, next, third] = [look(0), look(1), look(2)]
  const refuse = (message: string, hint: string, last = token, instead?: string) => {
    const span = spanning(token.span, last.span)
    return new CompileError('syntax', message, span, instead === undefined ? hint : { hint, written: instead })
  }
  if (token.kind === 'symbol') return symbolSource(look, refuse)
  if (token.kind === 'number')
    return refuse('a query begins with a dataset', 'a value that is alone is shown by print: print x = 1')
  if (token.kind !== 'word') return undefined
  const word = token.text.toLowerCase()
  if (next.text === '=' && next.kind === 'symbol') {
    const isName = third.kind === 'word' || third.kind === 'string'
    const name = isName ? quoted(third.text) : quoted('dataset')
    const isAlone = isName && isEnd(look, 3)
    const message = 'a query begins with the name of a dataset alone'
    return isAlone ? refuse(message, `write ${name}`, third, name) : refuse(message, `write ${name}`, next)
  }
  if (WORDS_BEFORE.has(word) && (next.kind === 'word' || next.kind === 'string') && isEnd(look, 2))
    return refuse('a query begins with the name of a dataset alone', `write ${quoted(next.text)}`, next, quoted(next.text))
  if (next.text === ':' && next.kind === 'symbol')
    return refuse(
      'a query begins with a dataset',
      `write ${quoted('dataset')} | where ${token.text} == …, or search in (dataset) …`,
      next,
    )
  if (next.kind === 'symbol' && /^[*.-]$/.test(next.text) && next.span.start === token.span.end)
    return patternSource(look, refuse)
  if (SQL_BEGINS.has(word) && !isEnd(look, 1))
    return refuse(
      'this is SQL; a query here begins with a dataset, and reads from left to right',
      "write ['dataset'] | where … | summarize … by … | project …",
    )
  if (next.kind === 'word' && next.text === 'by' && third.text === '(')
    return refuse(
      'a query begins with a dataset, and functions come behind it',
      "write ['dataset'] | summarize sum(field) by field",
    )
  return undefined
}

type Refuse = (message: string, hint: string, last?: ReturnType<Look>, instead?: string) => CompileError

function symbolSource(look: Look, refuse: Refuse): CompileError | undefined {
  const [token, next, third] = [look(0), look(1), look(2)]
  if (token.text === '{')
    return refuse(
      'a query begins with a dataset, not with labels',
      `write ['dataset'] | where ${readLabels(look)?.condition ?? "app == 'web'"}`,
    )
  if (token.text === '[' && next.kind === 'word' && third.text === ']')
    return refuse('the name of a dataset is in quotes', `write ${quoted(next.text)}`, third, quoted(next.text))
  if (token.text === '*') return refuse('every dataset is a union', 'write union *', token, 'union *')
  return undefined
}

/** `web-*`: a name that goes on without blanks, to a `*`. */
function patternSource(look: Look, refuse: Refuse): CompileError | undefined {
  let pattern = look(0).text
  for (let ahead = 1; ; ahead++) {
    const token = look(ahead)
    if (token.kind === 'end' || token.span.start !== look(ahead - 1).span.end || token.text === '|') {
      if (!pattern.endsWith('*')) return undefined
      const instead = `union ${pattern.replace('.*', '*')}`
      return refuse('several datasets are a union', `write ${instead}`, look(ahead - 1), instead)
    }
    pattern += token.text
  }
}

/** How a comparison of labels is written here; patterns of labels are compared with the whole value. */
const LABEL_TESTS: Readonly<Record<string, (name: string, text: string) => string>> = {
  '=': (name, text) => `${name} == ${writeText(text)}`,
  '!=': (name, text) => `${name} != ${writeText(text)}`,
  '=~': (name, text) => `${name} matches regex ${writeText(wholly(text))}`,
  '!~': (name, text) => `not(${name} matches regex ${writeText(wholly(text))})`,
}
const wholly = (pattern: string) => (pattern.includes('|') ? `^(?:${pattern})$` : `^${pattern}$`)

/** `{app="web", status=~"5.."}`, as one condition, and how many tokens it is. */
function readLabels(look: Look): { condition: string; length: number } | undefined {
  const conditions: string[] = []
  let at = 0
  do {
    const [name, sign, text] = [look(at + 1), look(at + 2), look(at + 3)]
    const test = sign.kind === 'symbol' && Object.hasOwn(LABEL_TESTS, sign.text) ? LABEL_TESTS[sign.text] : undefined
    if (name.kind !== 'word' || !test || text.kind !== 'string') return undefined
    conditions.push(test(name.text, text.text))
    at += 4
  } while (look(at).text === ',' && look(at).kind === 'symbol')
  return look(at).text === '}' ? { condition: conditions.join(' and '), length: at + 1 } : undefined
}

/** `web{status=~"5.."}` and `web != "debug"`: labels and lines, right behind a dataset. */
export function labelsAt(look: Look): CompileError | undefined {
  const [token, next] = [look(0), look(1)]
  for (let behind = -1; look(behind) !== look(behind + 1); behind--) if (look(behind).text === '|') return undefined
  if (token.text === '!=' && next.kind === 'string') {
    const written = `| where not(* contains ${writeText(next.text)})`
    const span = spanning(token.span, next.span)
    return new CompileError('syntax', 'lines without a text are found by a condition', span, {
      hint: `write ${written}`,
      written,
    })
  }
  const labels = token.text === '{' ? readLabels(look) : undefined
  if (!labels) return undefined
  const written = `| where ${labels.condition}`
  const span = spanning(token.span, look(labels.length - 1).span)
  const fix = [{ span, text: token.span.start === look(-1).span.end ? ` ${written}` : written }]
  return new CompileError('syntax', 'labels are fields, and are compared by where', span, { hint: `write ${written}`, fix })
}
