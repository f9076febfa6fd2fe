/**
 * The whole step `compare`: read the inputs, wait for the time after the event to be over, ask, judge, say what came out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createAnnotationsClient } from '@deployment-annotations/client/annotations'
import type { CallOptions } from '@deployment-annotations/client/calls'
import { type Connection, openConnection } from '@deployment-annotations/client/connection'
import { createQueryClient } from '@deployment-annotations/client/query'
import { USER_AGENT } from '@deployment-annotations/client/version'
import { type Comparison, ComparisonError, compare } from '@deployment-annotations/compare/comparison'
import { type Span, waitBefore, windowsAround } from '@deployment-annotations/compare/windows'
import { formatDuration } from '@deployment-annotations/contract/duration'
import { type ComparisonInputs, toMs } from '@deployment-annotations/inputs/comparison'
import { explain, explainRetry, isOutage } from '@deployment-annotations/inputs/explain'
import { quote, toLog } from '@deployment-annotations/inputs/text'
import { readTexts } from '../action/read-texts.ts'
import { STEP } from '../action/step-door.ts'
import { createStepTransport } from '../action/step-transport.ts'
import { core, outliveLog } from '../action/toolkit.ts'
import { COMPARE_INPUT_DEFAULTS, type CompareInputs, parseCompareInputs } from './compare-inputs.ts'
import { reportComparison, reportNothing } from './outcome.ts'

/** What is compared around: as people call it, and when it was. */
interface Event extends Span {
  title: string
}

/** What is being done, for the message if it fails. */
type Doing = Parameters<typeof explain>[1]

/** Never throws: the exit code is set, and what went wrong is in the log. */
export async function run(): Promise<void> {
  outliveLog()
  let inputs: CompareInputs
  try {
    inputs = parseCompareInputs(readTexts(COMPARE_INPUT_DEFAULTS))
  } catch (error) {
    return core.setFailed(explain(error, 'read the inputs', STEP))
  }
  const { comparison, service, summary } = inputs
  const progress = { doing: 'read the annotation' as Doing }
  const connection = openConnection({ ...service, userAgent: `${USER_AGENT} compare` }, createStepTransport)
  try {
    const event = await readEvent(comparison, connection)
    await waitFor(event, comparison)
    const result = await compareAround(event, comparison, connection, progress)
    await reportComparison(result, { event: event.title, failOn: comparison.failOn, summary })
  } catch (error) {
    fail(inputs, error, progress.doing)
  } finally {
    await connection.transport.close()
  }
}

async function readEvent({ event }: ComparisonInputs, connection: Connection): Promise<Event> {
  if (!('id' in event)) {
    const startMs = toMs(event.time, Date.now())
    return { title: new Date(startMs).toISOString(), startMs, endMs: event.endTime ? toMs(event.endTime, Date.now()) : startMs }
  }
  const { id, type, title, time, endTime } = await createAnnotationsClient(connection).get(event.id, callOptions)
  const startMs = Date.parse(time)
  return { title: `${title ?? type} (${id})`, startMs, endMs: endTime === undefined ? startMs : Date.parse(endTime) }
}

/** The judgement is made once: who looks again and again until something is found finds it by chance sooner or later. */
async function waitFor(event: Event, { windows, waitMs }: ComparisonInputs): Promise<void> {
  const waiting = waitBefore(event, windows, waitMs, Date.now())
  if (waiting <= 0) return
  const until = new Date(Date.now() + waiting).toISOString()
  core.info(`Waiting ${formatDuration(waiting)}, until ${until}, for the window after the event to be over`)
  await sleep(waiting)
}

function compareAround(
  event: Event,
  { queries, windows, direction, judge }: ComparisonInputs,
  connection: Connection,
  progress: { doing: Doing },
): Promise<Comparison> {
  const around = windowsAround(event, windows, Date.now())
  const passedMs = around.after.endMs - around.after.startMs
  if (passedMs < windows.windowMs)
    core.notice(
      `Only ${formatDuration(passedMs)} of the ${formatDuration(windows.windowMs)} after the event are over; "wait" says how long to wait for them.`,
    )
  const client = createQueryClient(connection)
  return compare(
    (query, range) => {
      progress.doing = `ask the query ${quote(query.name)}`
      return client.query(query.apl, { ...range, ...callOptions })
    },
    queries,
    { windows: around, direction, ...judge },
  )
}

const callOptions: CallOptions = { onRetry: (failure, waitMs) => core.info(explainRetry(failure, waitMs)) }

function fail({ onOutage }: CompareInputs, error: unknown, doing: Doing): void {
  const message = error instanceof ComparisonError ? toLog(error.message) : explain(error, doing, STEP)
  if (onOutage === 'warn' && isOutage(error)) {
    core.warning(`${message} Nothing was compared; the job goes on because "onOutage" is "warn".`)
    reportNothing()
  } else {
    core.setFailed(message)
  }
}
