/** Reads an event's level in the words of common loggers. Pure. */
import { findFields, USUAL_NAMES } from '@deployment-annotations/compare/usual-names'
import type { EventField } from './flatten.ts'

interface Level {
  /** The field that has the level. */
  field: string
  severity: string
  /** The level as the event writes it. */
  text: string
}

const WORDS = {
  trace: 'trace finest verbose',
  debug: 'debug fine dbg',
  info: 'info information informational notice',
  warning: 'warn warning wrn',
  error: 'error err eror failure',
  fatal: 'fatal critical crit alert emerg emergency panic severe',
}
const SEVERITY_OF = new Map(
  Object.entries(WORDS).flatMap(([severity, words]) => words.split(' ').map((word) => [word, severity] as const)),
)

/** @returns `undefined` if the event has no level, or a number, which means something else to each logger */
export function levelOf(fields: readonly EventField[]): Level | undefined {
  for (const { name: field, value: text } of findFields(fields, USUAL_NAMES.level)) {
    if (typeof text !== 'string') continue
    // OpenTelemetry has ERROR2 and so on between the levels.
    const severity = SEVERITY_OF.get(text.toLowerCase().replace(/\d$/, ''))
    if (severity) return { field, severity, text }
  }
  return undefined
}
