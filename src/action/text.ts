/**
 * Text from inputs, commits and the service on its way to a log: one line, bounded, and never a workflow command.
 */

import { toLine } from '@deployment-annotations/client/line'
import { countPoints } from '@deployment-annotations/contract/annotation'

const SHOWN_CHARS_MAX = 200

/** @returns the text in double quotes, as one line, for use within a message */
export function quote(text: string): string {
  return JSON.stringify(toLog(text, SHOWN_CHARS_MAX))
}

/**
 * One line for the log. The runner takes `##[…]` anywhere in a line for a command (and `::…` at its start,
 * which our own words prevent), and a carriage return for a new line.
 */
export function toLog(text: string, charsMax = 2_000): string {
  return toLine(text, charsMax).replaceAll('##[', '# #[')
}

/** @returns the text; where it is longer than so many code points, cut between two characters as people see them, with `…` */
export function cutText(text: string, pointsMax: number): string {
  if (countPoints(text) <= pointsMax) return text
  let kept = ''
  let points = 1
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    points += countPoints(segment)
    if (points > pointsMax) break
    kept += segment
  }
  return `${kept}…`
}

/** Text that stands for itself within HTML. */
export function escapeHtml(text: string): string {
  return toLine(text, SHOWN_CHARS_MAX).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
