/**
 * Limits the memory of the embedded engine, for queries, inserts, merges and caches together. By default the engine uses the memory of
 * the machine, and if a container has less, the kernel kills the process. With the limit, statements are refused instead.
 */
import { totalmem } from 'node:os'
import { QUERIES_AT_ONCE } from '@deployment-annotations/runtime/concurrency/bounds'

const MIB = 1_048_576

/** Memory for the rest of the process: Node, requests under way, and the page cache, without which everything is slow. */
const REST_BYTES = 400 * MIB
/** The engine gets this part of the remaining memory, because the system allocates somewhat more than the engine counts. */
const PART_OF_REST = 0.8
/** With less memory, no query of many groups and no merge succeeds. */
const BYTES_MIN = 192 * MIB
/** The part of the engine's memory that each cache may take; caches are not emptied for a query that needs more. */
const CACHE_PART = 1 / 16
/** The default size of each cache in MiB. */
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
/** With less memory than this, freed memory is returned at once, which costs some time; otherwise after half a second. */
const SCARCE_BYTES = 4_096 * MIB

/** @returns how many bytes this process may use: the memory of the machine, or of its control group */
export function memoryBytes(): number {
  // This is 0 if no control group limits it; some systems return a number beyond all memory instead.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/** @returns arguments for the first session, which is when the engine reads them */
export function memoryArguments(bytes = memoryBytes()): string[] {
  const engineBytes = Math.floor(Math.max((bytes - REST_BYTES) * PART_OF_REST, BYTES_MIN))
  return [
    `--max_server_memory_usage=${engineBytes}`,
    // Merges that need more memory wait until others are done.
    `--merges_mutations_memory_usage_soft_limit=${Math.floor(engineBytes / 2)}`,
    ...Object.entries(CACHES).map(([name, mib]) => `--${name}_size=${Math.floor(Math.min(mib * MIB, engineBytes * CACHE_PART))}`),
  ]
}

/**
 * Configures how the engine's allocator returns freed memory. By default it keeps it for five seconds, which under load means forever:
 * as much again as is in use, which the engine's own limit does not count (seen in version 26.7).
 * @returns `JE_MALLOC_CONF`, which is read when the engine is loaded
 */
export function allocatorOptions(bytes = memoryBytes()): string {
  return `dirty_decay_ms:${bytes < SCARCE_BYTES ? 0 : 500}`
}

/** The rest of the memory is for the service, inserts, merges and the page cache. */
const PART_OF_MEMORY = 1 / 2
/** With less memory, not even small groups can be made. */
const QUERY_BYTES_MIN = 67_108_864

/** @returns how many bytes queries may use, in whole MiB */
export function memoryShare(): number {
  const share = (memoryBytes() * PART_OF_MEMORY) / QUERIES_AT_ONCE
  return Math.floor(Math.max(share, QUERY_BYTES_MIN) / 1_048_576) * 1_048_576
}
