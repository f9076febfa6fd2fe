/**
 * Members of arrays.
 * Deliberately not here: what a shape is; see `shape.ts`.
 */
import { countWhere, type Shape, shape } from './shape.ts'

/** In the engine's own type, and not as JSON text. */
const TAGS = 'data.tags.:`Array(Nullable(String))`'

export const ARRAYS: readonly Shape[] = [
  shape(
    'mv-expand',
    () => '| mv-expand tag = tags | summarize count() by tostring(tag)',
    () => `SELECT arrayJoin(${TAGS}) AS tag, count() FROM EVENTS WHERE SPAN GROUP BY tag`,
  ),
  shape(
    'mv-expand to typeof(string)',
    () => '| mv-expand tag = tags to typeof(string) | summarize count() by tag',
    () => `SELECT arrayJoin(${TAGS}) AS tag, count() FROM EVENTS WHERE SPAN GROUP BY tag`,
  ),
  shape(
    'tags[i]',
    () => '| extend second = tostring(tags[1]) | summarize count() by second',
    () => `SELECT ${TAGS}[2] AS second, count() FROM EVENTS WHERE SPAN GROUP BY second`,
  ),
  shape(
    'where tags[i] ==',
    (n) => `| where tags[1] == '${n % 10}' | count`,
    (n) => countWhere(`${TAGS}[2] = '${n % 10}'`),
  ),
  shape(
    'where in an array',
    (n) => `| where '${n % 10}' in (tags) | count`,
    (n) => countWhere(`has(${TAGS}, '${n % 10}')`),
  ),
  shape(
    'where set_has_element',
    (n) => `| where set_has_element(tags, '${n % 10}') | count`,
    (n) => countWhere(`has(${TAGS}, '${n % 10}')`),
  ),
  shape(
    'where tags has',
    (n) => `| where tags has '${n % 10}' | count`,
    (n) => countWhere(`arrayExists(tag -> hasTokenCaseInsensitive(tag, '${n % 10}'), ${TAGS})`),
  ),
  shape(
    'array_length',
    () => '| summarize count() by array_length(tags)',
    () => `SELECT length(${TAGS}) AS items, count() FROM EVENTS WHERE SPAN GROUP BY items`,
  ),
  shape(
    'strcat_array',
    () => "| summarize count() by strcat_array(tags, '-')",
    () => `SELECT arrayStringConcat(${TAGS}, '-') AS joined, count() FROM EVENTS WHERE SPAN GROUP BY joined`,
  ),
]
