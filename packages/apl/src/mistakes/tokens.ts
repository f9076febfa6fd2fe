/**
 * What people mean where a token stands that cannot stand there.
 * Deliberately not here: names (`names.ts`, `functions.ts`, `operators.ts`), and what a query begins with (`sources.ts`).
 */
import { CompileError, type Guess, spanning } from '../error.ts'
import type { Token } from '../text/token.ts'
import { BEGINS_WITH_DATASET, type Habit, habitAt, INFIX, INSTEAD, type Look, surplus, written } from './habits.ts'
import { conditionBehindAt } from './operands.ts'
import { mistakenPair } from './pairs.ts'
import { bracketsAt, callAt, castAt, gapAt, type KnownWords, lengthAt, missingAt, negationAt, offsetAt } from './phrases.ts'
import { labelsAt } from './sources.ts'

/** The error for a token that cannot stand where it does, if it is known what was meant by it. */
export function mistakeAt(look: Look, expected: string, known: KnownWords): CompileError | undefined {
  const [before, token] = [look(-1), look(0)]
  const pair = mistakenPair((ahead) => look(ahead - 1)) ?? mistakenPair(look)
  if (pair) return pair
  const negation = negationAt(look)
  if (negation) return negation
  if (token.kind === 'word' || token.kind === 'symbol') {
    const word = token.text.toLowerCase()
    if (INFIX.has(word) && word !== token.text)
      return habitAt(written(`"${token.text}" is written in small letters`, word), token.span)
    if (token.text === '|') return pipeAt(look, known)
    const stage = conditionBehindAt(look, known.isFunction) ?? offsetAt(look)
    if (stage) return stage
    if (token.text === '=' && /^==?$/.test(look(1).text) && look(1).kind === 'symbol')
      return habitAt(INSTEAD['='] as Habit, spanning(token.span, look(1).span))
    const behindSource = expected.startsWith(BEHIND_SOURCE) ? labelsAt(look) : undefined
    if (behindSource) return behindSource
    const call = callAt(look) ?? castAt(look) ?? missingAt(look)
    if (call) return call
    const closesEarly = CLOSING.test(word) && !expected.startsWith('"|"')
    if (Object.hasOwn(INSTEAD, word) && !closesEarly) return habitAt(INSTEAD[word] as Habit, token.span)
    if (token.kind === 'word' && known.isOperator(word))
      return habitAt(written(`a "|" is missing before "${token.text}"`, `| ${word}`), token.span)
  }
  if (expected === 'an operator' && token.kind === 'end' && before.text === '|')
    return habitAt(surplus('an operator is missing behind the last "|"'), before.span)
  if (expected === VALUE) return valueAt(before, token)
  return lengthAt(before, token) ?? bracketsAt(look, known) ?? (/^"[|)]/.test(expected) ? gapAt(before, token) : undefined)
}

/** How the parser names a value that it expected. */
export const VALUE = 'a value'
/** How the parser names what may come behind a whole query, which its source alone may be. */
const BEHIND_SOURCE = '"|" or the end'
const CLOSING = /^[,)\]}]$/

/** A `|` whose first half was read as what comes before an operator, or that has nothing before it. */
function pipeAt(look: Look, known: KnownWords): CompileError | undefined {
  const [before, token, next] = [look(-1), look(0), look(1)]
  if (token === before) return habitAt(BEGINS_WITH_DATASET, token.span)
  if (before.text !== '|' || before.kind !== 'symbol') return undefined
  if (before.span.end !== token.span.start)
    return habitAt(
      { message: 'there is no operator between the two "|"', hint: 'leave one of them out', instead: '' },
      token.span,
    )
  if (next.kind === 'word' && known.isOperator(next.text) && !/^(?:[=!<>]|\.|\()/.test(look(2).text))
    return habitAt(written('one "|" begins the next operator', '|'), spanning(before.span, token.span))
  if (look(-2).kind === 'string' || next.kind === 'string')
    return new CompileError(
      'syntax',
      '"||" is not an operator',
      token.span,
      'texts are joined with strcat(a, b), and conditions with or',
    )
  const hint = 'write or; a single | begins the next operator'
  const fix = [{ span: spanning(before.span, token.span), text: 'or' }]
  return new CompileError('syntax', '"||" is not an operator', token.span, { hint, fix })
}

/** What stands where a value was expected. */
function valueAt(before: Token, { kind, text, span }: Token): CompileError | undefined {
  if (before.text === ',' && before.kind === 'symbol' && (kind === 'end' || /^[|)\]]$/.test(text)))
    return habitAt(surplus('nothing comes behind this ","'), before.span)
  if (kind !== 'symbol') return undefined
  const found = (hint: string | Guess) => new CompileError('syntax', `expected a value, found "${text}"`, span, hint)
  if (text === '/') return found("a pattern is a text: matches regex 'pattern'")
  if (text === '{') return found("an object is written dynamic({'key': value}) or bag_pack('key', value)")
  if (text === ',') return found({ hint: 'one "," is enough', written: '' })
  return undefined
}
