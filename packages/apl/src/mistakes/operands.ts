/**
 * What stands behind an operator as in another language: `sort -duration`, `top limit=5 user`, `count() where status >= 500`, and a
 * `let` whose ";" is missing.
 * Deliberately not here: expressions; see `phrases.ts`.
 */
import { around, before, behind, CompileError, type Edit, spanning } from '../error.ts'
import { describeToken, nesting, type Token } from '../text/token.ts'
import { INFIX, type Look } from './habits.ts'

/** Whether the stage of a pipeline ends before a token that no bracket is around. */
export const endsStage = ({ kind, text }: Token) => kind === 'end' || (kind === 'symbol' && /^[|;)\]}]$/.test(text))

/** How many tokens are left of the stage that is being read, brackets and what is in them included. */
export function lengthOfStage(look: Look, from: number): number {
  let ahead = from
  for (let depth = 0; depth > 0 || !endsStage(look(ahead)); ahead++) {
    if (look(ahead).kind === 'end') break
    depth += nesting(look(ahead))
  }
  return ahead - from
}

/** `sort -duration, +path`: signs are directions, and a key without one is ascending. */
export function signedKeysAt(look: Look, spelling: string): CompileError | undefined {
  const tokens = Array.from({ length: lengthOfStage(look, 0) }, (_, ahead) => look(ahead))
  const keys: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'symbol' && token.text === ',') keys.push([])
    else keys.at(-1)?.push(token)
  }
  const isSign = (token: Token | undefined) => token?.kind === 'symbol' && /^[-+]$/.test(token.text)
  const first = keys[0]?.[0]
  if (!first || !keys.some(([sign]) => isSign(sign)) || !keys.every((key) => isKey(isSign(key[0]) ? key.slice(1) : key)))
    return undefined
  const fix: Edit[] = [before(first.span, 'by ')]
  for (const key of keys) {
    const [sign, last] = [key[0] as Token, key.at(-1) as Token]
    if (isSign(sign)) fix.push({ span: { start: sign.span.start, end: (key[1] as Token).span.start }, text: '' })
    fix.push(behind(last.span, sign.text === '-' ? ' desc' : ' asc'))
  }
  const hint = `write ${spelling} by field desc, or asc`
  return new CompileError('syntax', 'directions are words behind a field', first.span, { hint, fix })
}

/** `sort status` without `by`, as languages write it in which a key is ascending unless it says otherwise. */
export function bareKeysAt(look: Look, spelling: string): CompileError | undefined {
  const tokens = Array.from({ length: lengthOfStage(look, 0) }, (_, ahead) => look(ahead))
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last || first.text === 'by' || !isKey(tokens)) return undefined
  return new CompileError('syntax', `expected "by" after ${spelling}, found ${describeToken(first)}`, first.span, {
    hint: `write ${spelling} by field asc, or desc, which it is without a word`,
    fix: around(spanning(first.span, last.span), 'by ', ' asc'),
  })
}

/** `name`, `name.name` or `['name']`. */
function isKey(tokens: readonly Token[]): boolean {
  const written = tokens.map(({ kind, text }) => (kind === 'symbol' ? text : kind)).join(' ')
  return /^word(?: \. word)*$|^\[ string \]$/.test(written)
}

/** `top limit=5 user`: the values that occur most. */
export function commonestAt(look: Look): CompileError | undefined {
  const [keyword, word, sign, count, field] = [look(-1), look(0), look(1), look(2), look(3)]
  if (word.text !== 'limit' || sign.text !== '=' || count.kind !== 'number') return undefined
  const message = 'the commonest values are counted first'
  const length = lengthOfStage(look, 3)
  const isOne = field.kind === 'word' && length === 1
  const written = `summarize count() by ${isOne ? field.text : 'field'} | top ${count.text} by count_`
  const fix = [{ span: spanning(keyword.span, field.span), text: written }]
  return new CompileError('syntax', message, spanning(word.span, count.span), {
    hint: `write | ${written}`,
    ...(isOne && { fix }),
  })
}

const COUNTING = new Set(['count', 'summarize'])

/** `| count where x`, `| summarize avg(y) where x`: what is counted is chosen before. */
export function conditionBehindAt(look: Look, isFunction: (word: string) => boolean): CompileError | undefined {
  if (look(0).kind !== 'word' || look(0).text.toLowerCase() !== 'where') return undefined
  const begin = firstOfStage(look)
  const keyword = look(begin)
  if (begin === 0 || keyword.kind !== 'word' || !COUNTING.has(keyword.text)) return undefined
  const condition = Array.from({ length: lengthOfStage(look, 1) }, (_, ahead) => look(ahead + 1))
  const names = Array.from({ length: -begin }, (_, at) => look(begin + at)).filter((_, at) => look(begin + at + 1).text === '=')
  const isOfGroups = ({ kind, text }: Token) =>
    kind === 'word' &&
    (names.some((name) => name.text === text) || (text.includes('_') && isFunction(text.split('_', 1)[0] as string)))
  const last = condition.at(-1)
  if (!last || condition.some(isOfGroups)) return undefined
  const stage = spanning(keyword.span, look(-1).span)
  return new CompileError('syntax', 'rows are chosen before they are counted', look(0).span, {
    hint: `write | where … before ${keyword.text}`,
    fix: [
      { span: { start: stage.start, end: look(0).span.start }, text: '' },
      behind(last.span, ' | '),
      behind(last.span, keyword.text === 'count' ? 'count' : stage),
    ],
  })
}

/** Where the stage begins that is being read, relative to the token that is looked at. */
function firstOfStage(look: Look): number {
  let behind = 0
  while (look(behind - 1) !== look(behind) && !(look(behind - 1).kind === 'symbol' && look(behind - 1).text === '|')) behind -= 1
  return behind
}

/** Behind their columns are values in brackets, and behind those of a range words of its own. */
const BEFORE_VALUES = new Set(['datatable', 'externaldata', 'range'])

/** `let x = 5 web | …`: a value, and a dataset right behind it. */
export function openLetAt(look: Look): CompileError | undefined {
  if (BEFORE_VALUES.has(look(0).text)) return undefined
  const length = lengthOfStage(look, 0)
  for (let ahead = 1, depth = 0; ahead < length; ahead++) {
    const [last, token] = [look(ahead - 1), look(ahead)]
    depth += nesting(last)
    const isDone = last.kind === 'number' || last.kind === 'string' || last.text === ')'
    const begins = token.kind === 'word' ? !INFIX.has(token.text) : token.text === '[' && look(ahead + 1).kind === 'string'
    if (depth !== 0 || !isDone || !begins || last.span.end === token.span.start) continue
    return new CompileError('syntax', 'a ";" is missing behind the value of let', token.span, {
      hint: 'write ; between the statement and the query',
      fix: [behind(last.span, ';')],
    })
  }
  return undefined
}
