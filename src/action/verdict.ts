/**
 * The end of the post step with `wait`: waits for the verdict of the service and writes it into the job summary. A file of its
 * own, because most jobs do not wait. The caller passes in what it has loaded already. It never fails the job.
 */
import { toMarkdown, toText } from '@deployment-annotations/compare/report'
import { describeComparison } from '@deployment-annotations/compare/words'
import type { Caller } from '@deployment-annotations/inputs/close'
import { toLog } from '@deployment-annotations/inputs/text'
import { waitForVerdict } from '@deployment-annotations/inputs/verdict'

interface Waiting {
  waitMs: number
  warn: (line: string) => void
  /** Writes into the job summary. */
  summarize: (text: string) => Promise<void>
}

/** @throws ClientError */
export async function reportVerdict(id: string, caller: Caller, { waitMs, warn, summarize }: Waiting): Promise<void> {
  const comparison = await waitForVerdict(id, waitMs, caller)
  if (!comparison) return
  for (const line of toText(comparison, toLog)) caller.tell(line)
  const message = toLog(`${comparison.event}: ${describeComparison(comparison)}`)
  if (comparison.verdict === 'worse' || comparison.verdict === 'gone') warn(message)
  else caller.tell(message)
  await summarize(toMarkdown(comparison))
}
