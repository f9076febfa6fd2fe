/**
 * What one job says of an annotation that it shares with others by a key, beyond the contract: a header besides the key's. What the jobs
 * of one run say is merged, in whatever order it arrives and however often. Deliberately not here: the merge, which the service does
 * exactly (annotations/joint-annotation.ts) and the client as well as it can where the service knows no keys.
 */
import { toHeader } from './header.ts'
import { countPoints, cutText } from './text.ts'

export const ANNOTATION_JOB_HEADER = 'annotation-job'

export interface AnnotationJob {
  /** The run of the workflow; '' where nobody says, and then the key alone tells runs apart. */
  run: string
  /** A whole number. */
  attempt: number
  /** Unlike that of every other job of the attempt. */
  job: string
  /** The same in every attempt: what is said replaces what was said under this name in earlier ones. Jobs without a name have one in common. */
  name?: string
  /** The annotation is that of a failure from then on, whatever other jobs say. */
  failed?: boolean
  /** A line that the description gets, and keeps: how the job went. */
  line?: string
}

/** A name of a run or a job: what fits into a header and a log. */
const NAME = /^[\w.:/-]{0,128}$/
const LINE_POINTS_MAX = 200

export const formatJob = ({ run, attempt, job, name, failed, line }: AnnotationJob): string =>
  toHeader({ run, attempt, job, name, failed, line })

/** @returns `undefined` for a text that says no job */
export function parseJob(text: string): AnnotationJob | undefined {
  try {
    const { run, attempt, job, name, failed = false, line } = JSON.parse(text) as Record<string, unknown>
    const names = [run, job, name ?? ''].every((text) => typeof text === 'string' && NAME.test(text))
    const isJob = names && Number.isSafeInteger(attempt) && Number(attempt) >= 0 && typeof failed === 'boolean' && isLine(line)
    if (!isJob) return undefined
    return {
      run,
      attempt,
      job,
      ...(name ? { name } : {}),
      ...(failed && { failed }),
      ...(line !== undefined && { line }),
    } as AnnotationJob
  } catch {
    return undefined
  }
}

function isLine(line: unknown): boolean {
  return (
    line === undefined ||
    (typeof line === 'string' && !/\p{Cc}|\p{Surrogate}/u.test(line) && countPoints(line) <= LINE_POINTS_MAX)
  )
}

type Attempt = Pick<AnnotationJob, 'run' | 'attempt'>

export const isSameAttempt = (a: Attempt, b: Attempt): boolean => a.run === b.run && a.attempt === b.attempt

/** Only attempts of one run are told apart by their number; of two runs, the one that speaks last counts. */
export const isEarlierAttempt = (a: Attempt, b: Attempt): boolean => a.run === b.run && a.attempt < b.attempt

/** So much of a text is shown however many lines follow it. */
const TEXT_POINTS_MIN = 100

/** @returns the text and the lines after it, each a paragraph; of more lines than fit those of failures first, and how many there are more */
export function addLines(text: string, lines: readonly string[], pointsMax: number): string {
  if (lines.length === 0) return cutText(text, pointsMax)
  const room = text === '' ? pointsMax : Math.max(pointsMax - countPoints(text), pointsMax - TEXT_POINTS_MIN) - 2
  const tail = fitLines(lines, room).join('\n\n')
  return text === '' ? tail : `${cutText(text, pointsMax - countPoints(tail) - 2)}\n\n${tail}`
}

function fitLines(lines: readonly string[], room: number): readonly string[] {
  const fits = (shown: readonly string[]) => countPoints(shown.join('\n\n')) <= room
  if (fits(lines)) return lines
  const [failures, others] = [true, false].map((isWanted) => lines.filter((line) => line.startsWith('failure') === isWanted))
  const ranked = [...(failures ?? []), ...(others ?? [])]
  const show = (count: number) => [...ranked.slice(0, count), `and ${ranked.length - count} more`]
  let count = ranked.length - 1
  while (count > 0 && !fits(show(count))) count--
  return show(count)
}
