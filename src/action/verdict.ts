/**
 * The end of the post step where somebody wants to know whether it hurt: waits for the verdict of the service, and writes it into the job
 * summary. A file of its own, because most jobs do not wait; what the post step has loaded already is handed in. It never fails the job.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnnotationsClient } from '@deployment-annotations/client/annotations'
import type { CallOptions } from '@deployment-annotations/client/calls'
import { toMarkdown, toText } from '@deployment-annotations/compare/report'
import { describeComparison } from '@deployment-annotations/compare/words'
import { toLog } from '@deployment-annotations/inputs/text'
import { waitForVerdict } from '@deployment-annotations/inputs/verdict'

interface Toolkit {
  debug(line: string): void
  info(line: string): void
  warning(line: string): void
  summary: { addRaw(text: string, addEOL: boolean): { write(): Promise<unknown> } }
}

interface Waiting {
  annotations: AnnotationsClient
  options: CallOptions
  toolkit: Toolkit
  waitMs: number
  /** Whether it is written into the job summary. */
  summary: boolean
}

/** @throws ClientError */
export async function reportVerdict(id: string, { annotations, options, toolkit, waitMs, summary }: Waiting): Promise<void> {
  const found = await waitForVerdict(id, waitMs, {
    getAnnotation: (one) => annotations.get(one, { ...options, members: 'all' }),
    sleep,
    tell: toolkit.info,
  })
  if (!found) return
  const { comparison, title } = found
  for (const line of toText(comparison, toLog)) toolkit.info(line)
  const message = toLog(`${title}: ${describeComparison(comparison)}`)
  if (comparison.verdict === 'worse' || comparison.verdict === 'gone') toolkit.warning(message)
  else toolkit.info(message)
  if (!summary) return
  try {
    await toolkit.summary.addRaw(toMarkdown(comparison, title), true).write()
  } catch (error) {
    toolkit.debug(`no job summary: ${toLog(String(error))}`)
  }
}
