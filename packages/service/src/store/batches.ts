/**
 * Batches: what arrives while one statement is under way goes together into the next. A statement costs about the same for
 * one row as for a hundred, be it a durable insert (group commit) or a look-up, so this is what makes many small ones fast.
 */
import { ServiceError } from '../errors.ts'

/** Items of one batch at most, so that a late comer does not wait for a giant. */
const BATCH_ITEMS_MAX = 1_000
/** Waiting items after which new ones are refused. */
const WAITING_MAX = 10_000

/**
 * @param work does a whole batch or none of it; its results are in the order of the items. One batch runs at a time, and
 *   starts after its last item has arrived.
 * @returns a function that resolves with its item's result, and rejects with what `work` rejected with
 * @throws ServiceError `overloaded` when too many wait already
 */
export function createBatches<Item, Result>(work: (items: Item[]) => Promise<Result[]>): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item
    resolve: (result: Result) => void
    reject: (reason: unknown) => void
  }
  const waiting: Waiting[] = []
  let working = false

  async function workAll(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_ITEMS_MAX)
      try {
        const results = await work(batch.map(({ item }) => item))
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    working = false
  }
  return async (item) => {
    if (waiting.length >= WAITING_MAX) {
      throw new ServiceError('overloaded', `the store is busy: ${waiting.length} requests wait already; try again in a second`)
    }
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!working) void workAll()
    })
  }
}
