/**
 * Waiting for the verdict that the service keeps with an annotation, for the step and the command. The requests go through a client that
 * is handed in. A verdict that is not there is no failure: the service may judge later, or not at all.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Report } from '@deployment-annotations/compare/report'
import { formatDuration } from '@deployment-annotations/contract/duration'
import type { Caller } from './close.ts'
import { collectHints } from './collect-hints.ts'
import { readVerdict } from './read-verdict.ts'

/** A verdict is looked for so often. */
const LOOK_MS = 15_000

/**
 * Reads the verdict as soon as it is there and final, or bad already.
 * @param waitMs the longest to wait
 * @returns `undefined` where there is none; why is told
 */
export async function waitForVerdict(
  id: string,
  waitMs: number,
  { annotations, options, tell }: Caller,
): Promise<Report | undefined> {
  const endMs = Date.now() + waitMs
  const { hints, collecting } = collectHints({ ...options, include: 'all' })
  for (let looks = 0; ; looks++) {
    const annotation = await annotations.get(id, collecting)
    const report = readVerdict(annotation, hints.page)
    if (report) return report
    if (annotation.createdAt === undefined) {
      tell('The service does not judge releases: there is no verdict to wait for.')
      return undefined
    }
    const leftMs = endMs - Date.now()
    if (leftMs <= 0) {
      tell(
        `There is no verdict of ${id} after ${formatDuration(waitMs)}: the token may not query its datasets, or it was not judged yet.`,
      )
      return undefined
    }
    if (looks === 0) tell(`Waiting ${formatDuration(leftMs)} at most for the verdict of ${id}`)
    await sleep(Math.min(LOOK_MS, leftMs))
  }
}
