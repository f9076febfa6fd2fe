/**
 * The store on one ClickHouse server, which other services may share.
 * - Every insert goes to the server at once. The server remembers tokens of inserts, so rows may be sent again.
 * - An insert may continue after its sender is gone, so rows are counted only after the inserts under way on the server have ended.
 * - A large request is staged in a table of its own and joined in one step.
 * - Other services may be at work at any time: upkeep cleans up instead of the start, and events of other services are only found by
 *   polling.
 * - There are columns and indexes for fields.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { openIndexes } from '../layouts/layout-keeper.ts'
import type { Reader, ReadLimits } from '../reading/reader.ts'
import { openServerReader } from '../reading/server-reader.ts'
import { tableState } from '../reading/table-spans.ts'
import { createEventTable, ON_ONE_HOST, REMEMBERS_TOKENS } from '../schema/event-table.ts'
import { ServerEngine } from '../server/server-engine.ts'
import { createMergeTask } from '../upkeep/merge-small-parts.ts'
import type { UpkeepParts, UpkeepTasks } from '../upkeep/upkeep.ts'
import { Store } from './store.ts'

const POLL_MS = 50
const WAIT_MS_MAX = 10_000

export class ServerStore extends Store {
  readonly isShared = true
  declare readonly engine: ServerEngine
  protected readonly urls: readonly URL[]

  /** @param urls addresses of the same data; the first one that works is used */
  constructor(urls: readonly URL[], engine = new ServerEngine(urls), names = ON_ONE_HOST) {
    super(engine, names)
    this.urls = urls
  }

  /** Call this first. @throws Error that says what to do if a server answers that cannot be used */
  async open(): Promise<this> {
    await this.engine.open()
    await this.engine.prepare(() => this.addRest())
    return this
  }

  async create(table: string, comment?: string): Promise<void> {
    await this.engine.run(createEventTable(table, [REMEMBERS_TOKENS], comment))
  }

  /**
   * Waits for the inserts that run now, on all hosts of a cluster, and not for later ones. A server completes an insert even if the
   * connection was lost, or the process that sent it was killed.
   * @throws ServiceError `unavailable` if they take too long, or a host is unavailable
   */
  async settleInserts(table: string): Promise<void> {
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

  openReader(limits: ReadLimits): Reader {
    return openServerReader(this.urls, { limits, settings: {}, stateOf: tableState })
  }

  async openUpkeep(parts: UpkeepParts): Promise<UpkeepTasks> {
    return {
      'merge small parts': createMergeTask({ engine: this.engine }),
      ...openIndexes(this, parts),
    }
  }
}
