/**
 * The rows of one request in an event table: how many there are, and removing them. Both are what is asked after a crash or a lost
 * answer, so neither takes what is on its way for missing. Deliberately not here: what is concluded from a count.
 */
import type { Engine } from '../engine/engine.ts'
import { engineCode } from '../engine/engine-failures.ts'
import { deleteRows, syncReplicas, type TablePlace } from '../schema/event-table.ts'
import { waitForInserts } from './running-inserts.ts'

/** Which rows: no other request has its `_sysTime`. All in nanoseconds since the epoch, decimal. */
interface RequestSpan {
  sysTimeNs: string
  /** The least and the greatest `_time`, which are what makes them quick to find. */
  firstTimeNs: string
  lastTimeNs: string
}

export interface StoredRequests {
  /**
   * How many rows of a request there are, on whichever shard and replica. An insert of before that still runs on a server, although
   * its answer was lost, has ended by then; the caller sends none meanwhile. A table that is gone has none.
   * @throws ServiceError `unavailable` also when one replica is away: what it has cannot be known
   */
  count(table: string, request: RequestSpan): Promise<number>
  /** As {@link count}, for many requests at once, by their `_sysTime`; those without rows are left out. */
  countEach(table: string, requests: readonly RequestSpan[]): Promise<Map<string, number>>
  /** Removes the rows of a request, all of them when it resolves. It may be repeated. @throws as {@link count} */
  removeRequest(table: string, request: RequestSpan): Promise<void>
}

const UNKNOWN_TABLE = '60'

const OF_REQUEST = `_sysTime = fromUnixTimestamp64Nano({sys:Int64}, 'UTC')
AND _time BETWEEN fromUnixTimestamp64Nano({first:Int64}, 'UTC') AND fromUnixTimestamp64Nano({last:Int64}, 'UTC')`

/** Of one statement. */
const REQUESTS_MAX = 500
const COUNT_EACH = `SELECT toString(toUnixTimestamp64Nano(_sysTime)) AS sys, toString(count()) AS found FROM {table:Identifier}
WHERE toString(toUnixTimestamp64Nano(_sysTime)) IN {all:Array(String)}
AND _time BETWEEN fromUnixTimestamp64Nano({first:Int64}, 'UTC') AND fromUnixTimestamp64Nano({last:Int64}, 'UTC') GROUP BY _sysTime`

export function createStoredRequests(engine: Engine, place: TablePlace): StoredRequests {
  /** Resolves when the table has all that was sent to it before, and every replica has it. */
  const settle = async (table: string) => {
    // The embedded engine ended with the process that gave it something to do.
    if (place === 'process') return
    const cluster = place === 'server' ? undefined : place
    await waitForInserts(engine, table, cluster)
    if (cluster) await engine.run(syncReplicas(table, cluster))
  }
  return {
    async count(table, request) {
      try {
        await settle(table)
        const rows = await engine.select<{ found: string }>(
          `SELECT toString(count()) AS found FROM {table:Identifier} WHERE ${OF_REQUEST}`,
          { table, ...valuesOf(request) },
        )
        return Number(rows[0]?.found)
      } catch (error) {
        if (engineCode(error) === UNKNOWN_TABLE) return 0
        throw error
      }
    },

    async countEach(table, requests) {
      const counts = new Map<string, number>()
      try {
        await settle(table)
        for (let from = 0; from < requests.length; from += REQUESTS_MAX) {
          const some = requests.slice(from, from + REQUESTS_MAX)
          const rows = await engine.select<{ sys: string; found: string }>(COUNT_EACH, { table, ...spanOf(some) })
          for (const { sys, found } of rows) counts.set(sys, Number(found))
        }
        return counts
      } catch (error) {
        if (engineCode(error) === UNKNOWN_TABLE) return counts
        throw error
      }
    },

    async removeRequest(table, request) {
      await settle(table)
      await engine.run(deleteRows(table, OF_REQUEST, place), valuesOf(request))
    },
  }
}

const valuesOf = ({ sysTimeNs, firstTimeNs, lastTimeNs }: RequestSpan) => ({
  sys: sysTimeNs,
  first: firstTimeNs,
  last: lastTimeNs,
})

/** From the earliest to the latest of all. */
function spanOf(requests: readonly RequestSpan[]) {
  const least = (values: readonly string[], sign: 1 | -1) =>
    values.reduce((a, b) => (sign * Number(BigInt(a) - BigInt(b)) <= 0 ? a : b))
  return {
    all: requests.map(({ sysTimeNs }) => sysTimeNs),
    first: least(
      requests.map(({ firstTimeNs }) => firstTimeNs),
      1,
    ),
    last: least(
      requests.map(({ lastTimeNs }) => lastTimeNs),
      -1,
    ),
  }
}
