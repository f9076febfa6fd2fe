/**
 * The inputs that describe an annotation, or a change of one. All problems are reported at once.
 * Deliberately not here: the rules of single inputs (input-values.ts, input-time.ts).
 */
import { DESCRIPTION_POINTS_MAX, TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import { InputError, parseAll } from './input-error.ts'
import { type InputTime, parseInputTime } from './input-time.ts'
import { parseDatasets, parseId, parseType, parseUrl } from './input-values.ts'
import { quote } from './text.ts'

/** The text of each input; '' where it was not given. */
type RawMark = Record<'datasets' | 'type' | 'time' | 'endTime' | 'title' | 'description' | 'url' | 'id', string>

/** What to put on the charts; what was not given is `undefined`. */
export interface NewMark {
  datasets: string[]
  type: string
  time: InputTime
  endTime: InputTime | 'job-end' | undefined
  title: string | undefined
  description: string | undefined
  /** Without it the annotation links to the job. */
  url: string | undefined
}

/** What to change of an annotation; what was not given stays as it is. */
export type MarkChange = { [K in keyof NewMark]: NewMark[K] | undefined }

export interface NewOperation {
  kind: 'create'
  mark: NewMark
}

export interface ChangeOperation {
  kind: 'change'
  id: string
  mark: MarkChange
}

/** @throws InputError */
export function parseCreate(raw: RawMark): NewOperation {
  const given = readMark(raw)
  const mark = parseAll<NewMark>({
    ...given,
    datasets: () => given.datasets() ?? lack('input "datasets" is required: names of datasets, separated by commas'),
    type: () => given.type() ?? lack('input "type" is required: the kind of event, for example production-deploy'),
    time: () => given.time() ?? 'now',
  })
  return { kind: 'create', mark }
}

/** @throws InputError */
export function parseChange(raw: RawMark): ChangeOperation {
  const { id, ...mark } = parseAll<MarkChange & { id: string }>({ id: () => parseId(raw.id), ...readMark(raw) })
  if (Object.values(mark).some((value) => value !== undefined)) return { kind: 'change', id, mark }
  return lack(
    `input "id" is ${quote(raw.id)} but nothing to change is given: add endTime, title, description, url, time, type or datasets`,
  )
}

/** @returns what is shortened on the way, for the log */
export function warnOfCuts(raw: RawMark): string[] {
  return [
    ...warnOfCut('title', raw.title, TITLE_POINTS_MAX),
    ...warnOfCut('description', raw.description, DESCRIPTION_POINTS_MAX),
  ]
}

function warnOfCut(name: 'title' | 'description', text: string, pointsMax: number): string[] {
  const points = countPoints(text)
  return points <= pointsMax ? [] : [`input "${name}" has ${points} characters; it was cut to ${pointsMax}`]
}

/** How each member is read; `undefined` where the input is empty. */
function readMark(raw: RawMark): { [K in keyof NewMark]: () => NewMark[K] | undefined } {
  const optional = <T>(text: string, parse: (text: string) => T) => (text === '' ? undefined : parse(text))
  return {
    datasets: () => optional(raw.datasets, parseDatasets),
    type: () => optional(raw.type, parseType),
    time: () => parseInputTime('time', raw.time),
    endTime: () => (raw.endTime === 'job-end' ? 'job-end' : parseInputTime('endTime', raw.endTime)),
    title: () => optional(raw.title, (text) => cutText(text, TITLE_POINTS_MAX)),
    description: () => optional(raw.description, (text) => cutText(text, DESCRIPTION_POINTS_MAX)),
    url: () => optional(raw.url, parseUrl),
  }
}

function lack(problem: string): never {
  throw new InputError([problem])
}
