/**
 * Asks a service about the events of log-data.ts, over HTTP.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { RunningService } from '../__tests__/support/service.ts'
import { DATASET, END_NS, START_NS } from './log-data.ts'

const BUILD_MS_MAX = 240_000
const BUILD_MS_MAX_PER_ROW = 0.03

export interface Answer {
  message: string
  status: { rowsExamined: number; rowsMatched: number }
  tables: { columns: unknown[][] }[]
}

export async function ask(
  { url, token }: RunningService,
  apl: string,
  { startNs = START_NS, endNs = END_NS } = {},
): Promise<Answer> {
  const response = await fetch(`${url}/v1/datasets/_apl?format=tabular`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ apl: `['${DATASET}'] ${apl}`, startTime: formatTimestamp(startNs), endTime: formatTimestamp(endNs) }),
  })
  const body = (await response.json()) as Answer
  if (response.status !== 200) throw new Error(`${response.status} ${body.message}`)
  return body
}

/** Until neither a trace id nor a word, where it has an index, is looked for in all events. */
export async function waitForIndexes(service: RunningService, rows: number): Promise<number> {
  const from = performance.now()
  const buildMsMax = BUILD_MS_MAX_PER_ROW * rows + BUILD_MS_MAX
  const chosen = () => /\{[^\n]*"event":"indexes"[^\n]*\}/.exec(service.stderr)?.[0] ?? ''
  for (let round = 0; performance.now() - from < buildMsMax; round++) {
    await sleep(1_000)
    if (chosen() === '') continue
    const asked = [`trace_id == 'absent${round}'`, ...(chosen().includes('words of') ? [`message has 'absent${round}'`] : [])]
    const answers = await Promise.all(asked.map((predicate) => ask(service, `| where ${predicate} | count`)))
    if (answers.every(({ status }) => status.rowsExamined < rows / 10)) return (performance.now() - from) / 1_000
  }
  throw new Error(`the indexes were not made within ${buildMsMax} ms; chosen: ${chosen()}`)
}
