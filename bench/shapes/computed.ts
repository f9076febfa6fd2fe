/**
 * Values computed from others in each row.
 * Deliberately not here: what a shape is; see `shape.ts`.
 */
import { type Shape, shape } from './shape.ts'

export const COMPUTED: readonly Shape[] = [
  shape(
    'strcat',
    () => "| extend where_ = strcat(method, ' ', region) | summarize count() by where_",
    () => "SELECT concat(data.method.:String, ' ', data.region.:String) AS place, count() FROM EVENTS WHERE SPAN GROUP BY place",
  ),
  shape(
    'extract',
    () => "| extend user = extract('users/([0-9]+)', 1, path) | summarize dcount(user)",
    () => "SELECT uniq(extract(data.path.:String, 'users/([0-9]+)')) FROM EVENTS WHERE SPAN",
  ),
  shape(
    'extract, as a number',
    () => "| extend user = extract('users/([0-9]+)', 1, path, typeof(long)) | summarize avg(user)",
    () => "SELECT avg(toInt64OrNull(extract(data.path.:String, 'users/([0-9]+)'))) FROM EVENTS WHERE SPAN",
  ),
  shape(
    'parse',
    () => "| parse path with '/api/' resource '/' id '/' * | summarize dcount(id) by resource",
    () =>
      "SELECT groups[1] AS resource, uniq(groups[2]) FROM (SELECT extractGroups(assumeNotNull(data.path.:String), '^/api/(.*?)/(.*?)/') AS groups FROM EVENTS WHERE SPAN) GROUP BY resource",
  ),
  shape(
    'parse, as a number',
    () => "| parse path with '/api/users/' user:long '/' * | summarize avg(user)",
    () => "SELECT avg(toInt64OrNull(extract(data.path.:String, '^/api/users/(.*?)/'))) FROM EVENTS WHERE SPAN",
  ),
  shape(
    'replace_regex',
    () => "| extend route = replace_regex('[0-9]+', 'ID', path) | summarize count() by route",
    () => "SELECT replaceRegexpAll(data.path.:String, '[0-9]+', 'ID') AS route, count() FROM EVENTS WHERE SPAN GROUP BY route",
  ),
  shape(
    'split()[i]',
    () => "| extend resource = tostring(split(path, '/')[2]) | summarize count() by resource",
    () =>
      "SELECT splitByChar('/', assumeNotNull(data.path.:String))[3] AS resource, count() FROM EVENTS WHERE SPAN GROUP BY resource",
  ),
  shape(
    'case',
    (n) => `| extend speed = case(took < ${n}, 'fast', took < 500, 'normal', 'slow') | summarize count() by speed`,
    (n) =>
      `SELECT multiIf(data.took.:Float64 < ${n}, 'fast', data.took.:Float64 < 500, 'normal', 'slow') AS speed, count() FROM EVENTS WHERE SPAN GROUP BY speed`,
  ),
  shape(
    'iff and countif',
    (n) => `| extend slow = iff(took > ${500 + n}, 1, 0) | summarize sum(slow), countif(status == 500) by host`,
    (n) =>
      `SELECT data.host.:String AS host, sum(if(data.took.:Float64 > ${500 + n}, 1, 0)), countIf(data.status.:Int64 = 500) FROM EVENTS WHERE SPAN GROUP BY host`,
  ),
  shape(
    'bin of a number',
    () => '| summarize count() by bin(took, 100)',
    () => 'SELECT floor(data.took.:Float64 / 100) * 100 AS step, count() FROM EVENTS WHERE SPAN GROUP BY step',
  ),
  shape(
    'strlen',
    () => '| summarize avg(strlen(path)) by region',
    () => 'SELECT data.region.:String AS region, avg(lengthUTF8(data.path.:String)) FROM EVENTS WHERE SPAN GROUP BY region',
  ),
  shape(
    'startofday',
    () => '| summarize count() by startofday(_time)',
    () => 'SELECT toStartOfDay(_time) AS day, count() FROM EVENTS WHERE SPAN GROUP BY day',
  ),
  shape(
    'startofweek',
    () => '| summarize count() by startofweek(_time)',
    () => 'SELECT toDateTime(toStartOfWeek(_time)) AS week, count() FROM EVENTS WHERE SPAN GROUP BY week',
  ),
  shape(
    'startofmonth',
    () => '| summarize count() by startofmonth(_time)',
    () => 'SELECT toDateTime(toStartOfMonth(_time)) AS month, count() FROM EVENTS WHERE SPAN GROUP BY month',
  ),
  shape(
    'endofday',
    () => '| summarize count() by endofday(_time)',
    () =>
      'SELECT toDateTime64(toStartOfDay(_time) + INTERVAL 1 DAY, 9) - INTERVAL 1 NANOSECOND AS day, count() FROM EVENTS WHERE SPAN GROUP BY day',
  ),
  shape(
    'hourofday',
    () => '| summarize count() by hourofday(_time)',
    () => 'SELECT toHour(_time) AS hour, count() FROM EVENTS WHERE SPAN GROUP BY hour',
  ),
]
