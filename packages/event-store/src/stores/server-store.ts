/**
 * The store on one ClickHouse server, which other services may share.
 * - Every insert goes to the server at once. The server remembers tokens of inserts, so rows may be sent again.
 * - An insert may continue after its sender is gone, so rows are counted only after the inserts under way on the server have ended.
 * - A large request is staged in a table of its own and joined in one step.
 * - Other services may be at work at any time: upkeep cleans up instead of the start, and events of other services are only found by
 *   polling.
 * - There are columns and indexes for fields.
 */
import { openIndexes } from '../layouts/layout-keeper.ts'
import type { Reader, ReadLimits } from '../reading/reader.ts'
import { openServerReader } from '../reading/server-reader.ts'
import { tableState } from '../reading/table-spans.ts'
import { createEventTable, ON_ONE_HOST, REMEMBERS_TOKENS } from '../schema/event-table.ts'
import { openServerEngine } from '../server/server-engine.ts'
import { createMergeTask } from '../upkeep/merge-small-parts.ts'
import type { UpkeepParts, UpkeepTasks } from '../upkeep/upkeep.ts'
import { RemoteStore } from './remote-store.ts'

export class ServerStore extends RemoteStore {
  /**
   * @param urls addresses of the same data; the first one that works is used
   * @throws Error if one answers that cannot be used
   */
  static async open(urls: readonly URL[]): Promise<ServerStore> {
    return new ServerStore(urls, await openServerEngine(urls), ON_ONE_HOST).prepared()
  }

  async create(table: string, comment?: string): Promise<void> {
    await this.engine.run(createEventTable(table, [REMEMBERS_TOKENS], comment))
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
