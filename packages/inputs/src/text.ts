/**
 * Text from inputs, commits and the service on its way to a log: one line, bounded, and never a workflow command.
 */

import { toLine } from '@deployment-annotations/client/line'

const SHOWN_POINTS_MAX = 200

/** @returns the text in double quotes, as one line, for use within a message */
export function quote(text: string): string {
  return JSON.stringify(toLog(text, SHOWN_POINTS_MAX))
}

/**
 * One line for the log. Runners take `##[…]`, `##vso[…]` and `##teamcity[…]` anywhere in a line for a command (and `::…` at its
 * start, which our own words prevent), and a carriage return for a new line.
 */
export function toLog(text: string, pointsMax = 2_000): string {
  return toLine(text, pointsMax).replace(/##(?=\w*\[)/g, '# #')
}

/** @returns whether that is what other programs and expressions write in the place of a value that they do not have */
export function isValueless(text: string): boolean {
  return /^(?:null|undefined|NaN|<nil>|<no value>|\[object Object\])$/.test(text)
}

/** Text escaped for HTML. */
export function escapeHtml(text: string, pointsMax = SHOWN_POINTS_MAX): string {
  return toLine(text, pointsMax).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
