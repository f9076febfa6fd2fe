/**
 * The text of one input to its value, or to an InputError that names the input, what it holds and the rule.
 * Times have a file of their own (input-time.ts). Deliberately not here: which inputs there are (mark.ts, service.ts).
 */
import { ID_PATTERN } from '@deployment-annotations/client/annotation-calls'
import { checkToken } from '@deployment-annotations/client/connection'
import { ConfigError } from '@deployment-annotations/client/errors'
import { ANNOTATION_TYPE_PATTERN, TYPE_POINTS_MAX, URL_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { ANNOTATION_KEY_FORM, ANNOTATION_KEY_PATTERN } from '@deployment-annotations/contract/header'
import { countPoints } from '@deployment-annotations/contract/text'
import { refuse } from './input-error.ts'
import { quote } from './text.ts'

const TIMEOUT_SECONDS_MAX = 3_600

/** @param noToken what to do where there is none */
export function parseToken(text: string, noToken: string): string {
  try {
    return checkToken(text)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return refuse('token', `: ${error.message}; ${text === '' ? noToken : 'store the secret again without it'}`)
  }
}

/** @returns names without blanks around them, each once */
export function parseDatasets(text: string): string[] {
  const names = [...new Set(text.split(/[,\r\n]/).map((name) => name.trim()))].filter((name) => name !== '')
  if (names.length === 0) refuse('datasets', ` is ${quote(text)} and names no dataset`)
  const wrong = names.filter((name) => !DATASET_NAME_PATTERN.test(name))
  if (wrong.length === 0) return names
  const rule = 'a dataset name has 1 to 128 ASCII letters, digits and "-"; names are separated by commas'
  return refuse('datasets', ` contains ${wrong.map(quote).join(', ')}: ${rule}`)
}

export function parseType(text: string, name: 'type' | 'typeOnFailure' = 'type'): string {
  if (ANNOTATION_TYPE_PATTERN.test(text) && countPoints(text) <= TYPE_POINTS_MAX) return text
  const rule = `a type has lower-case letters, digits and "-" only, at most ${TYPE_POINTS_MAX}`
  const suggestion = suggestType(text)
  const hint = suggestion === '' ? '' : `; did you mean ${quote(suggestion)}?`
  return refuse(name, ` is ${quote(text)}: ${rule}${hint}`)
}

/** The nearest valid spelling; '' where nothing of the text is left. */
function suggestType(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, TYPE_POINTS_MAX)
    .replace(/^-+|-+$/g, '')
}

export function parseUrl(text: string): string {
  const points = countPoints(text)
  if (points <= URL_POINTS_MAX) return text
  return refuse('url', ` has ${points} characters, at most ${URL_POINTS_MAX} are stored: ${quote(text)}`)
}

export function parseKey(text: string): string {
  if (ANNOTATION_KEY_PATTERN.test(text)) return text
  return refuse('key', ` is ${quote(text)}: a key has ${ANNOTATION_KEY_FORM}`)
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
  return parseChoice(name, text.toLowerCase(), ['true', 'false']) === 'true'
}

export function parseChoice<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text)
  if (choice !== undefined) return choice
  return refuse(name, ` is ${quote(text)}: it must be ${choices.join(' or ')}`)
}
