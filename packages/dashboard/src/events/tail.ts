/** Polls for new events at intervals while the page is visible, and less often after failures. No DOM, no requests. */

/** The interval while the list is live. */
export const POLL_MS = 2_000
const BACKOFF_MS_MAX = 60_000

/** @returns how long to wait after a number of failures in a row: 2, 4, 8 … 60 s */
export function backoffMs(failures: number): number {
  return Math.min(BACKOFF_MS_MAX, POLL_MS * 2 ** (failures - 1))
}

export interface Trouble {
  error: unknown
  retryMs: number
}

interface Follow {
  /** The interval between two polls. */
  pollMs: number
  poll(signal: AbortSignal): Promise<void>
  /** Resolves as soon as the page is visible. */
  whenVisible(signal: AbortSignal): Promise<void>
  sleep(ms: number, signal: AbortSignal): Promise<void>
  onTrouble(trouble: Trouble | undefined): void
}

/** Polls until `signal` aborts. */
export async function follow({ pollMs, poll, whenVisible, sleep, onTrouble }: Follow, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    await whenVisible(signal)
    if (signal.aborted) return
    let waitMs = pollMs
    try {
      await poll(signal)
      if (failures > 0 && !signal.aborted) onTrouble(undefined)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      waitMs = Math.max(pollMs, backoffMs(++failures))
      onTrouble({ error, retryMs: waitMs })
    }
    await sleep(waitMs, signal)
  }
}
