/**
 * What `annotate run` starts beside itself, and nobody else: see keeper.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { closeLeftover } from '../close-leftover.ts'
import { KEEP, listenUntilEnd } from '../run/keeper.ts'

const LOOKUP_PAUSE_MS = 1_000

export function createKeepCommand(): Command {
  return new Command(KEEP).action(async () => {
    const kept = await listenUntilEnd()
    if (kept === undefined) return
    // A create that was under way when its sender was killed needs a moment to be found.
    if (kept.leftover.id === undefined) await sleep(LOOKUP_PAUSE_MS)
    const service = { ...kept.service, baseUrl: new URL(kept.service.baseUrl) }
    // Nobody hears of a failure: who started it is gone.
    await closeLeftover(kept.leftover, { service, result: kept.result, tell: () => undefined }).catch(() => undefined)
  })
}
