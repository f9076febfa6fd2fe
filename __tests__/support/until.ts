import { setTimeout as sleep } from 'node:timers/promises'

/** Two minutes, whatever else the machine is doing. */
const TRIES = 600
const PAUSE_MS = 200

/** Resolves once it is so. @param what it is, as the start of a sentence. @throws Error when it does not come true within two minutes */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < TRIES; i++) {
    if (await isSo()) return
    await sleep(PAUSE_MS)
  }
  throw new Error(`${what} did not come true within two minutes`)
}
