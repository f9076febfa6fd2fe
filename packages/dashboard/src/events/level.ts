/** How serious an event says that it is, in the words that loggers have for it. Pure. */
import { valueAt } from './flatten.ts'

/** From what nobody reads to what wakes people up. */
type Severity = 'trace' | 'debug' | 'info' | 'warning' | 'error' | 'fatal'

interface Level {
  /** That says it. */
  field: string
  severity: Severity
  /** As the event has it. */
  text: string
}

/** The first of them that an event has. */
const FIELDS = ['level', 'severity', 'severity_text', 'severityText', 'log\\.level', 'log.level', 'loglevel', 'log_level', 'lvl']

const WORDS: Readonly<Record<Severity, string>> = {
  trace: 'trace finest verbose',
  debug: 'debug fine dbg',
  info: 'info information informational notice',
  warning: 'warn warning wrn',
  error: 'error err eror failure',
  fatal: 'fatal critical crit alert emerg emergency panic severe',
}
const SEVERITY_OF = new Map(
  (Object.entries(WORDS) as [Severity, string][]).flatMap(([severity, words]) =>
    words.split(' ').map((word) => [word, severity]),
  ),
)

/** @returns `undefined` of an event without a level, or with one that is no word: numbers mean something else to each logger */
export function levelOf(data: Readonly<Record<string, unknown>>): Level | undefined {
  for (const field of FIELDS) {
    const text = valueAt(data, field)
    if (typeof text !== 'string') continue
    // OpenTelemetry has ERROR2 and so on, between the levels.
    const severity = SEVERITY_OF.get(text.toLowerCase().replace(/\d$/, ''))
    if (severity) return { field, severity, text }
  }
  return undefined
}
