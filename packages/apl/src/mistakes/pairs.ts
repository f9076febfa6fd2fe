/**
 * Two symbols without a blank between them that are one in another language.
 * Deliberately not here: single symbols.
 */
import { type CompileError, spanning } from '../error.ts'
import type { Token } from '../text/token.ts'
import { type Habit, habitAt, type Look, written } from './habits.ts'

/** Two tokens without a blank between them that are meant as one, and what that is here. */
const PAIRS: Readonly<Record<string, Habit>> = {
  '===': written('there is no "==="', '=='),
  '!==': written('there is no "!=="', '!='),
  '=>': written('"=>" is not an operator', '>='),
  '=<': written('"=<" is not an operator', '<='),
  ':=': { message: '":=" is not an operator', hint: 'a name is given with =', instead: '=' },
  '->': { message: 'a key is behind a dot', hint: 'write object.key', instead: '.' },
  '|>': written('"|>" is not an operator', '|'),
  '|=': { message: 'lines with a text are found by an operator', hint: 'write | search "text"', instead: '| search' },
  '/*': { message: 'a comment ends with its line', hint: 'a comment begins with //' },
  '**': { message: 'powers are a function', hint: 'write pow(x, y)' },
  '--': written('a comment begins with //', '//'),
  '::': { message: 'types are changed by functions', hint: 'write tostring(x), tolong(x), toreal(x) or todatetime(x)' },
}

/** The error for two symbols without a blank between them that belong to another language. */
export function mistakenPair(look: Look): CompileError | undefined {
  const [first, second, third] = [look(0), look(1), look(2)]
  const touches = (a: Token, b: Token) => a !== b && a.span.end === b.span.start
  if (first.kind !== 'symbol' || second.kind !== 'symbol' || !touches(first, second)) return undefined
  const pair = first.text + second.text
  if (!Object.hasOwn(PAIRS, pair)) return undefined
  const { instead, ...habit } = PAIRS[pair] as Habit
  const span = spanning(first.span, second.span)
  // `a - -b` may be written `a --b`; a comment has a blank behind its two signs.
  if (pair === '--' && touches(second, third)) return undefined
  const goesOn = pair === '->' && third.text === '>'
  return habitAt(instead === undefined || goesOn ? habit : { ...habit, instead }, span)
}
