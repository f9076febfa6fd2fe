/**
 * The rows of single requests in an event table: what identifies them, and how they are counted.
 * Deliberately not here: the conclusions from a count.
 */

/** Identifies the rows of a request, whose `_sysTime` no other request has. Times are nanoseconds since the epoch, decimal. */
export interface RequestSpan {
  sysTimeNs: string
  /** The least and the greatest `_time`, which make the rows quick to find. */
  firstTimeNs: string
  lastTimeNs: string
}

/** The condition on the rows of one request, whose members are bound. */
export const OF_REQUEST = `_sysTime = fromUnixTimestamp64Nano({sysTimeNs:Int64}, 'UTC')
AND _time BETWEEN fromUnixTimestamp64Nano({firstTimeNs:Int64}, 'UTC') AND fromUnixTimestamp64Nano({lastTimeNs:Int64}, 'UTC')`

/** The most requests that one statement counts. */
export const REQUESTS_MAX = 500
const bound = (of: 'Min' | 'Max', times: string) =>
  `fromUnixTimestamp64Nano(array${of}(arrayMap(ns -> toInt64(ns), {${times}:Array(String)})), 'UTC')`
/** Counts the rows of requests, whose members are bound as lists: `all` of `_sysTime`, `first` and `last`. */
export const COUNT_EACH = `SELECT toString(toUnixTimestamp64Nano(_sysTime)) AS sys, toString(count()) AS found FROM {table:Identifier}
WHERE toString(toUnixTimestamp64Nano(_sysTime)) IN {all:Array(String)}
AND _time BETWEEN ${bound('Min', 'first')} AND ${bound('Max', 'last')} GROUP BY _sysTime`
