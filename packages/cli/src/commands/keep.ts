/**
 * What `annotate run` starts beside itself, and nobody else: see keeper.ts.
 */
import { Command } from 'commander'
import { KEEP, listenUntilEnd } from '../run/keeper.ts'
import { closeLeftover } from './close.ts'

export function createKeepCommand(): Command {
  return new Command(KEEP).action(async () => {
    const kept = await listenUntilEnd()
    if (kept === undefined) return
    const service = { ...kept.service, baseUrl: new URL(kept.service.baseUrl) }
    // Nobody hears of a failure: who started it is gone.
    await closeLeftover(kept.leftover, { service, result: kept.result, tell: () => undefined }).catch(() => undefined)
  })
}
