/**
 * Rows as they are: the largest, the last, and those of several datasets.
 * Deliberately not here: what a shape is; see `shape.ts`.
 */
import { DATASET } from '../query-data.ts'
import { type Shape, shape } from './shape.ts'

export const ROWS: readonly Shape[] = [
  shape(
    'top 10',
    () => '| top 10 by took desc, path asc | project took, path',
    () => 'SELECT data.took.:Float64 AS took, data.path.:String AS path FROM EVENTS WHERE SPAN ORDER BY took DESC, path LIMIT 10',
  ),
  shape(
    'last 100 errors',
    (n) => `| where status == 500 and bytes > ${n} | sort by _time desc | limit 100 | project _time, host, path`,
    (n) =>
      `SELECT _time, data.host.:String, data.path.:String FROM EVENTS WHERE SPAN AND data.status.:Int64 = 500 AND data.bytes.:Int64 > ${n} ORDER BY _time DESC, _row DESC LIMIT 100`,
  ),
  shape(
    'union, counted',
    (n) => `| where bytes < ${n + 50_000} | union (['${DATASET}'] | where status == 500) | summarize count() by region`,
    (n) =>
      `SELECT region, count() FROM (SELECT data.region.:String AS region FROM EVENTS WHERE SPAN AND data.bytes.:Int64 < ${n + 50_000} UNION ALL SELECT data.region.:String AS region FROM EVENTS WHERE SPAN AND data.status.:Int64 = 500) GROUP BY region`,
  ),
  shape(
    'union, filtered',
    (n) => `| union ['${DATASET}'] | where status == 500 and bytes < ${n + 50_000} | count`,
    (n) =>
      `SELECT count() FROM (SELECT 1 FROM EVENTS WHERE SPAN AND data.status.:Int64 = 500 AND data.bytes.:Int64 < ${n + 50_000} UNION ALL SELECT 1 FROM EVENTS WHERE SPAN AND data.status.:Int64 = 500 AND data.bytes.:Int64 < ${n + 50_000})`,
  ),
  shape(
    'union, last 100',
    (n) => `| union ['${DATASET}'] | where bytes > ${n} | sort by _time desc | limit 100 | project _time, host`,
    (n) =>
      `SELECT * FROM (${[0, 1].map(() => `SELECT * FROM (SELECT _time, data.host.:String FROM EVENTS WHERE SPAN AND data.bytes.:Int64 > ${n} ORDER BY _time DESC, _row DESC LIMIT 100)`).join(' UNION ALL ')}) ORDER BY _time DESC LIMIT 100`,
  ),
]
