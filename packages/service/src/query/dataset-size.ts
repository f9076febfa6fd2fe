/**
 * How much a dataset holds: its events, their times, and what they take up.
 */
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { type Dataset, requireEvents } from '@deployment-annotations/event-store/datasets/dataset'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { QueryCaller, Reader } from '@deployment-annotations/event-store/reading/reader'
import { sizeOf } from '@deployment-annotations/event-store/tables/stored-size'
import { settleOrTell } from './catalog.ts'
import { readArray } from './json-text.ts'

interface DatasetSize {
  events: number
  inputBytes: number
  compressedBytes: number
  /** Of the oldest and the newest event; empty where there is none. */
  times: { minTime?: string; maxTime?: string }
}

/** @throws what the reader throws; ServiceError `unavailable` where the events are damaged */
type MeasureDataset = (dataset: Dataset, asker: QueryCaller, signal: AbortSignal) => Promise<DatasetSize>

export function createMeasure(events: Pick<EventStore, 'settle'>, reader: Reader): MeasureDataset {
  return async (dataset, asker, signal) => {
    requireEvents(dataset)
    await settleOrTell(events, [dataset.name])
    await using result = await reader.read(sizeOf(dataset.table), signal, asker)
    const { items } = readArray((await result.first()) ?? '[]', 0)
    const [count = 0, inputBytes = 0, compressedBytes = 0] = [items[0], items[3], items[4]].map(Number)
    const [minTime, maxTime] = [items[1], items[2]].map((text) => formatTimestamp(parseTimestamp(text?.slice(1, -1) ?? '') ?? 0n))
    return {
      events: count,
      inputBytes,
      compressedBytes,
      times: count === 0 || minTime === undefined || maxTime === undefined ? {} : { minTime, maxTime },
    }
  }
}
