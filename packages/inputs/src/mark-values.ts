/**
 * The inputs that only an annotation has, one by one: the text to its value, or to an InputError. What has a value near it always gets
 * that (corrections.ts), so nobody reads why it was refused.
 */
import {
  ANNOTATION_DATASETS_MAX,
  ANNOTATION_TYPE_PATTERN,
  TITLE_POINTS_MAX,
  TYPE_POINTS_MAX,
  TYPE_RULE,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { ANNOTATION_KEY_PATTERN } from '@deployment-annotations/contract/header'
import { countPoints } from '@deployment-annotations/contract/text'
import { refuse } from './input-error.ts'
import { quote } from './text.ts'

/** @returns names without blanks around them, each once */
export function parseDatasets(text: string): string[] {
  const names = [...new Set(text.split(/[,\r\n]/).map((name) => name.trim()))].filter((name) => name !== '')
  if (names.length === 0) refuse('datasets', ` is ${quote(text)} and names no dataset`)
  const wrong = names.filter((name) => !DATASET_NAME_PATTERN.test(name))
  if (names.length > ANNOTATION_DATASETS_MAX)
    refuse('datasets', ` names ${names.length} datasets, and an annotation has at most ${ANNOTATION_DATASETS_MAX}: make several`)
  if (wrong.length === 0) return names
  return refuse('datasets', ` contains ${wrong.map(quote).join(', ')}`)
}

export function parseType(text: string, name: 'type' | 'typeOnFailure' = 'type'): string {
  if (ANNOTATION_TYPE_PATTERN.test(text) && countPoints(text) <= TYPE_POINTS_MAX) return text
  return refuse(name, ` is ${quote(text)}: a type has ${TYPE_RULE}, at most ${TYPE_POINTS_MAX}`)
}

export function parseTitle(text: string): string {
  if (/[\n\r\v\f\u0085\u2028\u2029]/.test(text)) refuse('title', ' has several lines')
  return parseText('title', text, TITLE_POINTS_MAX)
}

export function parseUrl(text: string): string {
  const { protocol, username, password } = URL.canParse(text) ? new URL(text) : { protocol: '' }
  if (!/^https?:$/.test(protocol) || /\s/.test(text) || username || password) refuse('url', ' is no plain http(s) address')
  return parseText('url', text, URL_POINTS_MAX)
}

export function parseText(name: string, text: string, pointsMax: number): string {
  return countPoints(text) <= pointsMax ? text : refuse(name, ' is too long')
}

export function parseKey(text: string): string {
  return ANNOTATION_KEY_PATTERN.test(text) ? text : refuse('key', ' has other characters than visible ASCII, or too many')
}
