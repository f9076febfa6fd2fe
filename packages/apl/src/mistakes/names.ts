/**
 * Names that are no field: constants in capitals, the time of an event under another name, what is meant as a text or a direction.
 * Deliberately not here: names that are spelled wrongly; see `text/nearest.ts`.
 */
import type { Advice, Guess } from '../error.ts'

const CONSTANTS = new Set(['true', 'false', 'null'])
const NOTHING = new Set(['nil', 'none', 'undefined', 'na'])
const TIMES = new Set(['timestamp', 'time', 'ts', 'datetime', 'date', '@timestamp', '_timestamp', 'timegenerated', 'eventtime'])
const NOW = new Set(['now', 'current_timestamp', 'current_time', 'sysdate'])
const DIRECTIONS = new Set(['asc', 'desc'])

interface Known {
  /** Whether a function is called so. */
  isFunction(name: string): boolean
  /** Whether there is such a field. */
  hasField(name: string): boolean
}

/** What is meant by a name that nothing has. */
export function adviceOnName(name: string, { isFunction, hasField }: Known): Guess | Advice | undefined {
  const lower = name.toLowerCase()
  const instead = (written: string, hint = `write ${written}`): Guess => ({ hint, written })
  // Kusto calls what percentile(x, 95) gives `percentile_x_95`.
  for (const other of [lower, name.replace(/_\d+$/, '')]) if (other !== name && hasField(other)) return instead(other)
  if (CONSTANTS.has(lower)) return instead(lower, `constants are written in small letters: ${lower}`)
  if (NOTHING.has(lower)) return instead('null', 'a missing value is null')
  if (TIMES.has(lower) && hasField('_time')) return instead('_time', 'the time of an event is _time')
  if (DIRECTIONS.has(lower)) return { hint: `a direction follows its field without a comma: sort by field ${lower}` }
  if (NOW.has(lower)) return instead('now()', 'the time of the query is now()')
  if (lower === 'today') return instead('startofday(now())')
  if (lower === 'yesterday') return instead('startofday(ago(1d))')
  if (lower === 'count') return instead('count()')
  if (isFunction(name)) return { hint: `${name} is a function: ${name}(…)` }
  return undefined
}
