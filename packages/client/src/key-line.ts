/**
 * The key of an annotation in its own description, for services that do not know keys: a last line that Markdown does not show.
 */
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints, cutText } from '@deployment-annotations/contract/text'

const KEY_LINE = /(?:^|\n\n)(\[\/\/\]: # \(key: [^\s()]*\))$/

/** @returns the description with the key at its end, the text before it cut to what there is room for */
export function addKeyLine(description: string | undefined, key: string): string {
  return joinKeyLine(description ?? '', `[//]: # (key: ${escapeKey(key)})`)
}

export function hasKey({ description }: { description?: string }, key: string): boolean {
  return splitKeyLine(description ?? '').keyLine === `[//]: # (key: ${escapeKey(key)})`
}

/** @returns what people wrote, and the line with the key, which is empty where there is none */
export function splitKeyLine(description: string): { text: string; keyLine: string } {
  const found = KEY_LINE.exec(description)
  return found ? { text: description.slice(0, found.index), keyLine: found[1] ?? '' } : { text: description, keyLine: '' }
}

/** The text is cut where both do not fit. */
export function joinKeyLine(text: string, keyLine: string): string {
  if (keyLine === '' || text === '') return text + keyLine
  return `${cutText(text, DESCRIPTION_POINTS_MAX - countPoints(keyLine) - 2)}\n\n${keyLine}`
}

/** A title in parentheses ends at the first one that closes them. */
function escapeKey(key: string): string {
  return encodeURIComponent(key).replace(/[()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}
