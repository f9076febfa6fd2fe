/**
 * The common part of the stores on ClickHouse servers: the servers may be away, other services may be at work on the same events, and
 * the files are not visible from here.
 * Deliberately not here: the tables, which differ (server-store.ts, cluster-store.ts).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { TableNames } from '../schema/event-table.ts'
import type { Preparation } from '../server/preparation.ts'
import type { ServerEngine } from '../server/server-engine.ts'
import { Store } from './store.ts'

const POLL_MS = 50
const WAIT_MS_MAX = 10_000

export abstract class RemoteStore extends Store {
  readonly log = undefined
  readonly isShared = true
  protected readonly urls: readonly URL[]
  readonly #preparation: Preparation

  protected constructor(urls: readonly URL[], { engine, preparation }: ServerEngine, names: TableNames) {
    super(engine, names)
    this.urls = urls
    this.#preparation = preparation
  }

  /** Prepares the tables of an earlier version. */
  protected async prepared(): Promise<this> {
    await this.prepare(async () => void (await this.addRest()))
    return this
  }

  prepare(task: () => Promise<unknown>): Promise<void> {
    return this.#preparation.add(task)
  }

  /**
   * Waits for the inserts that run now, on all hosts of a cluster, and not for later ones. A server completes an insert even if the
   * connection was lost, or the process that sent it was killed.
   * @throws ServiceError `unavailable` if they take too long, or a host is unavailable
   */
  async endInserts(table: string): Promise<void> {
    const list = async () => {
      const rows = await this.engine.select<{ id: string }>(
        `SELECT concat(hostName(), ':', toString(tcpPort()), ' ', query_id) AS id FROM ${this.names.hosts('processes')}
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
}
