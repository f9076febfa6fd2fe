/**
 * How much memory the embedded engine may take, all of it together: queries, inserts, merges and what it keeps. By itself it goes by the
 * memory of the machine, and where a container has less, the kernel kills the process. What would be more is refused instead.
 */
import { totalmem } from 'node:os'
import { QUERIES_AT_ONCE } from '@deployment-annotations/runtime/concurrency/bounds'

const MIB = 1_048_576

/** For the rest of the process: Node, requests under way, and the pages of files without which all is slow. */
const REST_BYTES = 400 * MIB
/** Of what is left; the engine counts what it has asked for, and the system gives some more. */
const PART_OF_REST = 0.8
/** With less, no query of many groups and no merge gets through. */
const BYTES_MIN = 192 * MIB
/** Of the engine's memory, what each of its caches may take: they are not emptied for a query that needs more. */
const CACHE_PART = 1 / 16
/** What each takes by itself, in MiB. */
const CACHES = {
  mark_cache: 5_120,
  index_mark_cache: 5_120,
  primary_index_cache: 5_120,
  text_index_tokens_cache: 1_024,
  text_index_header_cache: 1_024,
  text_index_postings_cache: 2_048,
  query_condition_cache: 100,
  compiled_expression_cache: 128,
}
/** With less memory than this it goes back at once, which costs the system some time; otherwise after half a second. */
const SCARCE_BYTES = 4_096 * MIB

/** @returns bytes that this process may use: those of the machine, or of the control group that it is in */
export function memoryBytes(): number {
  // 0 where no control group limits it; some systems say a number beyond all memory instead.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/** @returns arguments for the first session that is opened, which is when the engine reads them */
export function memoryArguments(bytes = memoryBytes()): string[] {
  const engineBytes = Math.floor(Math.max((bytes - REST_BYTES) * PART_OF_REST, BYTES_MIN))
  return [
    `--max_server_memory_usage=${engineBytes}`,
    // Merges that need more wait until others are done.
    `--merges_mutations_memory_usage_soft_limit=${Math.floor(engineBytes / 2)}`,
    ...Object.entries(CACHES).map(([name, mib]) => `--${name}_size=${Math.floor(Math.min(mib * MIB, engineBytes * CACHE_PART))}`),
  ]
}

/**
 * How the allocator of the engine treats memory that was freed. By itself it keeps such memory for five seconds, which is for long enough
 * to keep all that ever was: as much again as is in use, and the engine's own limit does not count it (seen in version 26.7).
 * @returns `JE_MALLOC_CONF`, which is read when the engine is loaded
 */
export function allocatorOptions(bytes = memoryBytes()): string {
  return `dirty_decay_ms:${bytes < SCARCE_BYTES ? 0 : 500}`
}

/** The rest is for the service, inserts, merges, and the pages of files that the system keeps. */
const PART_OF_MEMORY = 1 / 2
/** With less, not even small groups can be made. */
const QUERY_BYTES_MIN = 67_108_864

/** @returns bytes, whole MiB of them */
export function memoryShare(): number {
  const share = (memoryBytes() * PART_OF_MEMORY) / QUERIES_AT_ONCE
  return Math.floor(Math.max(share, QUERY_BYTES_MIN) / 1_048_576) * 1_048_576
}
