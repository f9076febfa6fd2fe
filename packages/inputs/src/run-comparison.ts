/**
 * A comparison from beginning to end, for the step and the command: read when the event was, wait for the time after it to be over,
 * ask, judge. The requests go through calls that are handed in.
 */
import { type Comparison, ComparisonError, compare, MissingEventsError } from '@deployment-annotations/compare/comparison'
import { type Span, waitBefore, windowsAround } from '@deployment-annotations/compare/windows'
import { formatDuration } from '@deployment-annotations/contract/duration'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { type ComparisonInputs, toMs } from './comparison.ts'
import type { Door } from './door.ts'
import { explain, isOutage, type Operation } from './explain.ts'
import { quote, toLog } from './text.ts'

/** What is compared around: as people call it, and when it was. */
interface Event extends Span {
  title: string
}

/** The calls, and where lines for people go. */
interface ComparisonCaller {
  getAnnotation: (id: string) => Promise<Annotation>
  query: (apl: string, range: { startTime: string; endTime: string }) => ReturnType<Parameters<typeof compare>[0]>
  sleep: (ms: number) => Promise<unknown>
  tell: (line: string) => void
  /** What people should look at, though nothing is wrong. */
  notice: (line: string) => void
  /** Called before each call with what it is for, for the message if it fails. */
  begin: (operation: Operation) => void
  door: Door
}

interface ComparedEvent {
  comparison: Comparison
  /** What was compared around, as people call it. */
  title: string
}

/** @throws ClientError, ComparisonError */
export async function runComparison(inputs: ComparisonInputs, caller: ComparisonCaller): Promise<ComparedEvent> {
  caller.begin('read the annotation')
  const event = await readEvent(inputs, caller)
  await waitFor(event, inputs, caller)
  return { comparison: await compareAround(event, inputs, caller), title: event.title }
}

/** @returns what went wrong, and what to do, for people */
export function explainComparison(error: unknown, operation: Operation, door: Door): string {
  return error instanceof ComparisonError ? toLog(error.message) : explain(error, operation, door)
}

/** As `isOutage`, also of an answer that lacks events: `onOutage` decides what it does to the job. */
export function isComparisonOutage(error: unknown): boolean {
  return error instanceof MissingEventsError || isOutage(error)
}

async function readEvent({ event }: ComparisonInputs, { getAnnotation }: ComparisonCaller): Promise<Event> {
  if (!('id' in event)) {
    const startMs = toMs(event.time, Date.now())
    return { title: new Date(startMs).toISOString(), startMs, endMs: event.endTime ? toMs(event.endTime, Date.now()) : startMs }
  }
  const { id, type, title, time, endTime } = await getAnnotation(event.id)
  const startMs = Date.parse(time)
  return { title: `${title ?? type} (${id})`, startMs, endMs: endTime === undefined ? startMs : Date.parse(endTime) }
}

/** The judgement is made once: who looks again and again until something is found finds it by chance sooner or later. */
async function waitFor(event: Event, { windows, waitMs }: ComparisonInputs, { tell, sleep }: ComparisonCaller): Promise<void> {
  const waiting = waitBefore(event, windows, waitMs, Date.now())
  if (waiting <= 0) return
  const until = new Date(Date.now() + waiting).toISOString()
  tell(`Waiting ${formatDuration(waiting)}, until ${until}, for the window after the event to be over`)
  await sleep(waiting)
}

function compareAround(
  event: Event,
  inputs: ComparisonInputs,
  { query, notice, begin, door }: ComparisonCaller,
): Promise<Comparison> {
  const { queries, windows, direction, judge } = inputs
  const around = windowsAround(event, windows, Date.now())
  const passedMs = around.after.endMs - around.after.startMs
  if (passedMs < windows.windowMs) {
    const passed = `${formatDuration(passedMs)} of the ${formatDuration(windows.windowMs)}`
    notice(`Only ${passed} after the event are over; ${door.mention('wait')} says how long to wait for them.`)
  }
  const ask: Parameters<typeof compare>[0] = ({ name, apl }, range) => {
    begin(`ask the query ${quote(name)}`)
    return query(apl, range)
  }
  return compare(ask, queries, { windows: around, direction, ...judge })
}
