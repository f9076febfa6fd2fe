/**
 * The text of one input to its value, or to an InputError that names the input, what it holds and the rule.
 * Times have a file of their own (input-time.ts), and so has what only an annotation has (mark-values.ts). Deliberately not here: which
 * inputs there are (mark.ts, service.ts).
 */
import { ID_PATTERN } from '@deployment-annotations/client/annotation-calls'
import { checkToken } from '@deployment-annotations/client/connection'
import { ConfigError } from '@deployment-annotations/client/errors'
import { refuse } from './input-error.ts'
import { quote } from './text.ts'

const TIMEOUT_SECONDS_MAX = 3_600

/** @param noToken what to do where there is none */
export function parseToken(text: string, noToken: string): string {
  try {
    if (/^["']/.test(text)) throw new ConfigError('the token begins with a quote')
    return checkToken(text)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return refuse('token', `: ${error.message}; ${text === '' ? noToken : 'store the secret again without it'}`)
  }
}

export function parseId(text: string): string {
  if (ID_PATTERN.test(text)) return text
  return refuse('id', ` is ${quote(text)}: an id looks like ann_… and comes from what created the annotation`)
}

/** @returns milliseconds */
export function parseTimeout(text: string): number {
  const seconds = Number(text)
  if (/^[\d.]+$/.test(text) && seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX) return seconds * 1_000
  return refuse('timeoutSeconds', ` is ${quote(text)}: it must be a number of seconds above 0, at most ${TIMEOUT_SECONDS_MAX}`)
}

export function parseBoolean(name: string, text: string): boolean {
  return parseChoice(name, text, ['true', 'false']) === 'true'
}

export function parseChoice<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text)
  if (choice !== undefined) return choice
  return refuse(name, ` is ${quote(text)}: it must be ${choices.join(' or ')}`)
}
