/**
 * Whether requests wait long to be begun, or until their bodies are read. Every request stands in that queue but those for the health,
 * which would not notice it.
 */
import type { Gate } from '@deployment-annotations/runtime/concurrency/gate'

/** How long requests may wait before that is degraded, and before it is a failure, in milliseconds. */
const MS_DEGRADED = 1_000
const MS_FAILED = 10_000

export function checkWaitingRequests(queues: readonly Pick<Gate, 'waiting'>[], nowMs = performance.now()) {
  const oldest = queues.flatMap(({ waiting: [first] }) => (first ? [first.sinceMs] : []))
  const waitedMs = nowMs - Math.min(nowMs, ...oldest)
  if (waitedMs < MS_DEGRADED) return undefined
  const message = `they wait ${Math.round(waitedMs / 1_000)} s to be begun`
  return { status: waitedMs < MS_FAILED ? ('degraded' as const) : ('failed' as const), message }
}
