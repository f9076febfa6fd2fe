/**
 * `summarize` and its likes.
 * Deliberately not here: what a shape is; see `shape.ts`.
 */
import { DATASET } from '../query-data.ts'
import { type Shape, shape } from './shape.ts'

export const GROUPS: readonly Shape[] = [
  shape(
    'count by a number',
    (n) => `| where bytes > ${n} | summarize count() by status`,
    (n) => `SELECT data.status.:Int64 AS status, count() FROM EVENTS WHERE SPAN AND data.bytes.:Int64 > ${n} GROUP BY status`,
  ),
  shape(
    'count by two texts',
    () => '| summarize count() by region, method',
    () => 'SELECT data.region.:String AS region, data.method.:String AS method, count() FROM EVENTS WHERE SPAN GROUP BY ALL',
  ),
  shape(
    'avg by a text',
    () => '| summarize avg(took) by host',
    () => 'SELECT data.host.:String AS host, avg(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY host',
  ),
  shape(
    'sum, min, max, stdev',
    () => '| summarize sum(bytes), min(took), max(took), stdev(took) by region',
    () =>
      'SELECT data.region.:String AS region, sum(data.bytes.:Int64), min(data.took.:Float64), max(data.took.:Float64), stddevSamp(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY region',
  ),
  shape(
    'count and avg by 1h',
    () => '| summarize count(), avg(took) by bin(_time, 1h)',
    () => 'SELECT toStartOfHour(_time) AS hour, count(), avg(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY hour',
  ),
  shape(
    'count by 1h and a text',
    () => '| summarize count() by bin(_time, 1h), region',
    () => 'SELECT toStartOfHour(_time) AS hour, data.region.:String AS region, count() FROM EVENTS WHERE SPAN GROUP BY ALL',
  ),
  shape(
    'p95',
    (n) => `| where bytes > ${n} | summarize percentile(took, 95)`,
    (n) => `SELECT quantile(0.95)(data.took.:Float64) FROM EVENTS WHERE SPAN AND data.bytes.:Int64 > ${n}`,
    0.02,
  ),
  shape(
    'p95 by 1h',
    () => '| summarize percentile(took, 95) by bin(_time, 1h)',
    () => 'SELECT toStartOfHour(_time) AS hour, quantile(0.95)(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY hour',
    0.02,
  ),
  shape(
    'count and p95 by 1h and a text',
    () => '| summarize count(), percentile(took, 95) by bin(_time, 1h), region',
    () =>
      'SELECT toStartOfHour(_time) AS hour, data.region.:String AS region, count(), quantile(0.95)(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY ALL',
    0.02,
  ),
  shape(
    'three percentiles by a text',
    () => '| summarize percentile(took, 50), percentile(took, 95), percentile(took, 99) by host',
    () =>
      'SELECT data.host.:String AS host, quantile(0.5)(data.took.:Float64), quantile(0.95)(data.took.:Float64), quantile(0.99)(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY host',
    0.04,
  ),
  shape(
    'dcount',
    (n) => `| where bytes > ${n} | summarize dcount(user.id)`,
    (n) => `SELECT uniq(data.user.id.:Int64) FROM EVENTS WHERE SPAN AND data.bytes.:Int64 > ${n}`,
  ),
  shape(
    'dcount by a text',
    () => '| summarize dcount(client_ip) by region',
    () => 'SELECT data.region.:String AS region, uniq(data.client_ip.:String) FROM EVENTS WHERE SPAN GROUP BY region',
  ),
  shape(
    'largest groups',
    () => '| summarize requests = count() by path | top 10 by requests desc, path asc',
    () =>
      'SELECT data.path.:String AS path, count() AS requests FROM EVENTS WHERE SPAN GROUP BY path ORDER BY requests DESC, path LIMIT 10',
  ),
  shape(
    'error rate',
    () => '| summarize errors = countif(status >= 500), total = count() by host | extend rate = 100.0 * errors / total',
    () =>
      'SELECT data.host.:String AS host, countIf(data.status.:Int64 >= 500) AS errors, count() AS total, 100.0 * errors / total FROM EVENTS WHERE SPAN GROUP BY host',
  ),
  shape(
    'arg_max',
    () => '| summarize arg_max(took, path) by host | project host, path, took',
    () =>
      'SELECT data.host.:String AS host, argMax(data.path.:String, data.took.:Float64), max(data.took.:Float64) FROM EVENTS WHERE SPAN GROUP BY host',
  ),
  shape(
    'make_set',
    () => '| summarize make_set(method) by host',
    () =>
      'SELECT data.host.:String AS host, arraySort(groupUniqArray(128)(data.method.:String)) FROM EVENTS WHERE SPAN GROUP BY host',
  ),
  shape(
    'distinct',
    () => '| distinct host, region',
    () => 'SELECT DISTINCT data.host.:String, data.region.:String FROM EVENTS WHERE SPAN',
  ),
  shape(
    'make-series',
    () => '| make-series count() default = 0 on _time step 1d by region | project region, count_',
    () =>
      'SELECT region, groupArray(n) FROM (SELECT data.region.:String AS region, toStartOfDay(_time) AS day, count() AS n FROM EVENTS WHERE SPAN GROUP BY ALL ORDER BY day) GROUP BY region',
  ),
  shape(
    'join',
    (n) =>
      `| where status == 500 and bytes < ${9_000 + n} | join kind=inner (['${DATASET}'] | where method == 'PUT' and bytes < 5000 | project user.id, host) on user.id | count`,
    (n) =>
      `SELECT count() FROM (SELECT data.user.id.:Int64 AS id FROM EVENTS WHERE SPAN AND data.status.:Int64 = 500 AND data.bytes.:Int64 < ${9_000 + n}) AS a INNER JOIN (SELECT data.user.id.:Int64 AS id FROM EVENTS WHERE SPAN AND data.method.:String = 'PUT' AND data.bytes.:Int64 < 5000) AS b ON a.id = b.id`,
  ),
]
