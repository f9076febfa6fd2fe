/**
 * The end of the post step with `wait`: waits for the verdict of the service and writes it into the job summary. A file of its
 * own, because most jobs do not wait. The caller passes in what it has loaded already. It never fails the job.
 */
import { toMarkdown, toText } from '@deployment-annotations/compare/report'
import { isWorse } from '@deployment-annotations/contract/verdict'
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
  const report = await waitForVerdict(id, waitMs, caller)
  if (!report) return
  const [sentence = '', ...lines] = toText(report, toLog)
  if (isWorse(report.verdict)) warn(sentence)
  else caller.tell(sentence)
  for (const line of lines) caller.tell(line)
  await summarize(toMarkdown(report))
}
