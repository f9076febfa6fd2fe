/**
 * The parts that health is made of, in the order in which they are told. What each means, and what to do, is in docs/operate.md.
 */
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { Records } from '@deployment-annotations/records/records'
import type { ClockWatch } from './clock-watch.ts'
import type { DataFolder } from './data-folder.ts'
import { createFileHandlesJudge } from './file-handles.ts'
import type { Part } from './part.ts'

interface Judged {
  records: Pick<Records, 'check'>
  store: { check(): Promise<void>; events: Pick<EventStore, 'sizes'> }
  folder: DataFolder
  clockWatch: ClockWatch
}

export function createHealthParts({ records, store, folder, clockWatch }: Judged): Part[] {
  const { sizes } = store.events
  const judgeFileHandles = createFileHandlesJudge()
  return [
    { name: 'records', judge: () => records.check().then(() => undefined) },
    { name: 'events', judge: () => store.check().then(() => undefined) },
    { name: 'data', judge: async () => folder.judge() },
    { name: 'disk', judge: () => folder.judgeDisk() },
    ...(sizes.hasLimits ? [{ name: 'size', judge: async () => sizes.judge() }] : []),
    { name: 'file handles', judge: async () => judgeFileHandles() },
    { name: 'clock', judge: async () => clockWatch.judge() },
  ]
}
