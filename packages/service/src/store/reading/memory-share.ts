/**
 * How much memory a query may have where the engine is in this process: all places together stay below a part of what there is, so
 * that the most that can happen is a query that is refused.
 */
import { totalmem } from 'node:os'
import { QUERIES_AT_ONCE } from '../../concurrency/queue-bounds.ts'

/** The rest is for the service, inserts, merges, and the pages of files that the system keeps. */
const PART_OF_MEMORY = 1 / 2
/** With less, not even small groups can be made. */
const BYTES_MIN = 67_108_864

/** @returns bytes, whole MiB of them */
export function memoryShare(): number {
  // 0 where no control group limits it; some systems say a number beyond all memory instead.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const share = (Math.min(totalmem(), limit) * PART_OF_MEMORY) / QUERIES_AT_ONCE
  return Math.floor(Math.max(share, BYTES_MIN) / 1_048_576) * 1_048_576
}
