/**
 * How much memory a query may have where the engine is in this process: all slots together stay below a part of what there is, so
 * that the most that can happen is a query that is refused.
 */
import { QUERIES_AT_ONCE } from '@deployment-annotations/runtime/concurrency/bounds'
import { memoryBytes } from '../engine/engine-memory.ts'

/** The rest is for the service, inserts, merges, and the pages of files that the system keeps. */
const PART_OF_MEMORY = 1 / 2
/** With less, not even small groups can be made. */
const BYTES_MIN = 67_108_864

/** @returns bytes, whole MiB of them */
export function memoryShare(): number {
  const share = (memoryBytes() * PART_OF_MEMORY) / QUERIES_AT_ONCE
  return Math.floor(Math.max(share, BYTES_MIN) / 1_048_576) * 1_048_576
}
