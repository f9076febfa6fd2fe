/**
 * Events that were acknowledged and are not in their tables yet. Readers wait for them, which takes milliseconds. On a disk that is
 * full to the last, or has failed, they are kept in the log, and cannot be found until it can be written: a query is answered without them
 * and says so, because who frees the disk has to see what fills it, and what can be read of a failed one may be wanted now.
 */

import { isDiskFailure } from '@deployment-annotations/event-store/engine/system-faults'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { wantOfRoom } from '@deployment-annotations/event-store/write/write-ahead-log'

const FULL =
  'the disk of the service is full: events that were sent just before may be missing here until there is room again; none of them is lost'
const FAILED =
  'the disk of the service has failed, or was made read-only: events that were sent just before may be missing here until it works again; they are in the write-ahead log'

/**
 * @returns what to tell a reader of these datasets, where some of their events cannot be found now
 * @throws ServiceError `unavailable` where they cannot be put in their place for another reason
 */
export async function settleOrTell(events: Pick<EventStore, 'settle'>, datasets: readonly string[]): Promise<string | undefined> {
  try {
    await events.settle(datasets)
    return undefined
  } catch (error) {
    if (wantOfRoom(error)) return FULL
    if (isDiskFailure(error)) return FAILED
    throw error
  }
}
