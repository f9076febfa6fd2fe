/**
 * Events that were acknowledged and are not in their tables yet. Whoever reads waits for them, which takes milliseconds. On a disk that is
 * full to the last they are kept in the log, and cannot be found until there is room: a query is answered without them and says so, because
 * who frees the disk has to see what fills it.
 */
import type { EventStore } from '../events/event-store.ts'
import { wantOfRoom } from '../events/write/write-ahead-log.ts'

const MISSING =
  'the disk of the service is full: events that were sent just before may be missing here until there is room again; none of them is lost'

/**
 * @returns what to tell whoever reads these datasets, where some of their events cannot be found now
 * @throws ServiceError `unavailable` where they cannot be put in their place for another reason
 */
export async function settleOrTell(events: Pick<EventStore, 'settle'>, datasets: readonly string[]): Promise<string | undefined> {
  try {
    await events.settle(datasets)
    return undefined
  } catch (error) {
    if (wantOfRoom(error)) return MISSING
    throw error
  }
}
