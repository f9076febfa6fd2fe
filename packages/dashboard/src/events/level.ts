/** Reads an event's level in the words of common loggers. Pure. */
import { valueAt } from './flatten.ts'

/** The levels in ascending order. */
type Severity = 'trace' | 'debug' | 'info' | 'warning' | 'error' | 'fatal'

interface Level {
  /** The field that has the level. */
  field: string
  severity: Severity
  /** The level as the event writes it. */
  text: string
}

/** The first of these fields that an event has is its level. */
const FIELDS = ['level', 'severity', 'severity_text', 'severityText', 'log\\.level', 'log.level', 'loglevel', 'log_level', 'lvl']

const WORDS: Readonly<Record<Severity, string>> = {
  trace: 'trace finest verbose',
  debug: 'debug fine dbg',
  info: 'info information informational notice',
  warning: 'warn warning wrn',
  error: 'error err eror failure',
  fatal: 'fatal critical crit alert emerg emergency panic severe',
}
const SEVERITIES = Object.keys(WORDS) as Severity[]
const SEVERITY_OF = new Map(SEVERITIES.flatMap((severity) => WORDS[severity].split(' ').map((word) => [word, severity])))

/** @returns `undefined` if the event has no level, or a number, which means something else to each logger */
export function levelOf(data: Readonly<Record<string, unknown>>): Level | undefined {
  for (const field of FIELDS) {
    const text = valueAt(data, field)
    if (typeof text !== 'string') continue
    // OpenTelemetry has ERROR2 and so on between the levels.
    const severity = SEVERITY_OF.get(text.toLowerCase().replace(/\d$/, ''))
    if (severity) return { field, severity, text }
  }
  return undefined
}
