/**
 * Counts and removes the rows of single requests in an event table, and waits for inserts that a server still carries out, after a
 * crash or a lost answer. Deliberately not here: the conclusions from a count.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { BoundValues, Engine } from '../engine/engine.ts'
import type { TableNames } from '../schema/event-table.ts'

/** Identifies the rows of a request, whose `_sysTime` no other request has. Times are nanoseconds since the epoch, decimal. */
export interface RequestSpan {
  sysTimeNs: string
  /** The least and the greatest `_time`, which make the rows quick to find. */
  firstTimeNs: string
  lastTimeNs: string
}

/** The condition on the rows of one request, with the values of {@link valuesOf}. */
export const OF_REQUEST = `_sysTime = fromUnixTimestamp64Nano({sys:Int64}, 'UTC')
AND _time BETWEEN fromUnixTimestamp64Nano({first:Int64}, 'UTC') AND fromUnixTimestamp64Nano({last:Int64}, 'UTC')`

export const valuesOf = ({ sysTimeNs, firstTimeNs, lastTimeNs }: RequestSpan): BoundValues => ({
  sys: sysTimeNs,
  first: firstTimeNs,
  last: lastTimeNs,
})

/** The most requests that one statement counts. */
const REQUESTS_MAX = 500
const bound = (of: 'Min' | 'Max', times: string) =>
  `fromUnixTimestamp64Nano(array${of}(arrayMap(ns -> toInt64(ns), {${times}:Array(String)})), 'UTC')`
const COUNT_EACH = `SELECT toString(toUnixTimestamp64Nano(_sysTime)) AS sys, toString(count()) AS found FROM {table:Identifier}
WHERE toString(toUnixTimestamp64Nano(_sysTime)) IN {all:Array(String)}
AND _time BETWEEN ${bound('Min', 'first')} AND ${bound('Max', 'last')} GROUP BY _sysTime`

/** @returns how many rows of each request a table has, by its `_sysTime`; requests without rows are left out */
export async function countRequests(
  engine: Engine,
  table: string,
  requests: readonly RequestSpan[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let from = 0; from < requests.length; from += REQUESTS_MAX) {
    const some = requests.slice(from, from + REQUESTS_MAX)
    const each = (of: keyof RequestSpan) => some.map((request) => request[of])
    const values = { table, all: each('sysTimeNs'), first: each('firstTimeNs'), last: each('lastTimeNs') }
    const rows = await engine.select<{ sys: string; found: string }>(COUNT_EACH, values)
    for (const { sys, found } of rows) counts.set(sys, Number(found))
  }
  return counts
}

const POLL_MS = 50
const WAIT_MS_MAX = 10_000

/**
 * Resolves when the inserts into a table that run now on the server have ended, on all hosts of a cluster; later ones are not waited
 * for. A server completes an insert even if the connection was lost, or the process that sent it was killed.
 * @throws ServiceError `unavailable` if they take too long, or a host is unavailable
 */
export async function waitForInserts(engine: Engine, table: string, names: TableNames): Promise<void> {
  const list = async () => {
    const rows = await engine.select<{ id: string }>(
      `SELECT concat(hostName(), ':', toString(tcpPort()), ' ', query_id) AS id FROM ${names.hosts('processes')}
WHERE query_kind = 'Insert' AND position(query, {table:String}) > 0`,
      { table },
    )
    return rows.map(({ id }) => id)
  }
  let running = await list()
  for (const until = performance.now() + WAIT_MS_MAX; running.length > 0; ) {
    if (performance.now() > until)
      throw new ServiceError('unavailable', `an insert of before is still under way after ${WAIT_MS_MAX / 1_000} s; try again`)
    await sleep(POLL_MS)
    const now = new Set(await list())
    running = running.filter((id) => now.has(id))
  }
}
