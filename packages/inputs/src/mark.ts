/**
 * The inputs that describe an annotation, or a change of one. All problems are reported at once.
 * Deliberately not here: the rules of single inputs (input-values.ts, mark-values.ts, input-time.ts).
 */
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { parseAll, refuse } from './input-error.ts'
import { type InputTime, parseInputTime } from './input-time.ts'
import { parseId } from './input-values.ts'
import { parseDatasets, parseKey, parseText, parseTitle, parseType, parseUrl } from './mark-values.ts'
import { quote } from './text.ts'

/** The text of each input; '' where it was not given. */
type RawMark = Record<
  'datasets' | 'type' | 'time' | 'endTime' | 'title' | 'description' | 'url' | 'id' | 'key' | 'typeOnFailure',
  string
>

/** The type of an annotation for which nobody gave one. */
const DEFAULT_TYPE = 'deploy'

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
  /** There is one annotation with it, however often it is created; `undefined`: each create makes one. */
  key: string | undefined
  /** What its type becomes if the job fails; `undefined`: it keeps it. */
  typeOnFailure: string | undefined
}

export interface ChangeOperation extends Pick<NewOperation, 'typeOnFailure'> {
  kind: 'change'
  id: string
  mark: MarkChange
}

interface MarkOptions {
  /** Whether there is something that closes a span when the job ends, so that `endTime` may be `job-end`; default `false`. */
  jobEnd?: boolean
}

/** @throws InputError */
export function parseCreate(raw: RawMark, options: MarkOptions = {}): NewOperation {
  const given = readMark(raw, options)
  const { key, typeOnFailure, ...mark } = parseAll<NewMark & Pick<NewOperation, 'key' | 'typeOnFailure'>>({
    ...given,
    datasets: () => given.datasets() ?? refuse('datasets', ' is required unless an id is given: names of datasets'),
    type: () => given.type() ?? DEFAULT_TYPE,
    time: () => given.time() ?? 'now',
    key: () => optional(raw.key, parseKey),
  })
  return { kind: 'create', mark, key, typeOnFailure }
}

/** @throws InputError */
export function parseChange(raw: RawMark, options: MarkOptions = {}): ChangeOperation {
  const { id, typeOnFailure, ...mark } = parseAll<MarkChange & Pick<ChangeOperation, 'id' | 'typeOnFailure'>>({
    id: () => parseId(raw.id),
    ...readMark(raw, options),
  })
  if (raw.key !== '') refuse('key', ` is ${quote(raw.key)} and "id" is given too: the id says already which annotation is meant`)
  if (Object.values(mark).some((value) => value !== undefined)) return { kind: 'change', id, mark, typeOnFailure }
  const members = 'an end, title, description, url, time, type or datasets'
  return refuse('id', ` is ${quote(raw.id)} but nothing to change is given: add ${members}`)
}

type Given = MarkChange & Pick<NewOperation, 'typeOnFailure'>

/** How each member is read; `undefined` where the input is empty. */
function readMark(raw: RawMark, { jobEnd = false }: MarkOptions): { [K in keyof Given]: () => Given[K] } {
  return {
    typeOnFailure: () => optional(raw.typeOnFailure, (text) => parseType(text, 'typeOnFailure')),
    datasets: () => optional(raw.datasets, parseDatasets),
    type: () => optional(raw.type, (text) => parseType(text)),
    time: () => parseInputTime('time', raw.time),
    endTime: () =>
      jobEnd && raw.endTime === 'job-end'
        ? 'job-end'
        : parseInputTime('endTime', raw.endTime, jobEnd ? ', "now" or "job-end"' : undefined),
    title: () => optional(raw.title, parseTitle),
    description: () => optional(raw.description, (text) => parseText('description', text, DESCRIPTION_POINTS_MAX)),
    url: () => optional(raw.url, parseUrl),
  }
}

function optional<T>(text: string, parse: (text: string) => T): T | undefined {
  return text === '' ? undefined : parse(text)
}
