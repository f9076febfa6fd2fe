/**
 * How much a dataset holds: its events, their times, and what they take up.
 */
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { type Dataset, requireEvents } from '@deployment-annotations/event-store/datasets/dataset'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { QueryCaller, Reader } from '@deployment-annotations/event-store/reading/reader'
import { sizeOf } from '@deployment-annotations/event-store/tables/stored-size'
import { settleOrTell } from './catalog.ts'
import { readArray } from './json-text.ts'

export function createMeasure(events: Pick<EventStore, 'settle'>, reader: Reader) {
  /** @throws what the reader throws; ServiceError `unavailable` where the events are damaged */
  return async (dataset: Dataset, asker: QueryCaller, signal: AbortSignal) => {
    requireEvents(dataset)
    await settleOrTell(events, [dataset.name])
    await using result = await reader.read(sizeOf(dataset.table), signal, asker)
    const { items } = readArray((await result.first()) ?? '[]', 0)
    const [numEvents = 0, inputBytes = 0, compressedBytes = 0] = [items[0], items[3], items[4]].map(Number)
    const times = numEvents === 0 ? [] : [items[1], items[2]]
    const [minTime, maxTime] = times.map((text) => formatTimestamp(parseTimestamp(text?.slice(1, -1) ?? '') ?? 0n))
    return dropUndefined({ numEvents, inputBytes, compressedBytes, minTime, maxTime })
  }
}
