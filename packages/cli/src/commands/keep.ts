/** The keeper's process, which only `annotate run` starts: see keeper.ts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { closeLeftover } from '../close-leftover.ts'
import { KEEP, listenUntilEnd } from '../run/keeper.ts'

const LOOKUP_PAUSE_MS = 1_000

export function createKeepCommand(): Command {
  return new Command(KEEP).action(async () => {
    const kept = await listenUntilEnd()
    if (kept === undefined) return
    // If the sender was killed while it created the annotation, a lookup finds it only after a moment.
    if (kept.leftover.id === undefined) await sleep(LOOKUP_PAUSE_MS)
    const service = { ...kept.service, baseUrl: new URL(kept.service.baseUrl) }
    // A failure is not reported, because the process that started this one is gone.
    await closeLeftover(kept.leftover, { service, result: kept.result, tell: () => undefined }).catch(() => undefined)
  })
}
