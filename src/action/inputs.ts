/**
 * The step's inputs: names and defaults as in action.yml (a test compares the two), and how they become what the step is to
 * do. All problems are reported at once. Deliberately not here: the rules of single inputs (input-values.ts), and what the
 * environment tells about the job (job.ts).
 */
import { DEFAULT_BASE_URL, parseBaseUrl } from '@deployment-annotations/client/connection'
import { DESCRIPTION_POINTS_MAX, TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import { InputError, parseAll } from './input-error.ts'
import { type InputTime, parseInputTime } from './input-time.ts'
import {
  parseBoolean,
  parseChoice,
  parseDatasets,
  parseId,
  parseTimeout,
  parseToken,
  parseType,
  parseUrl,
} from './input-values.ts'
import { quote } from './text.ts'

/** Every input and its default; '' means that there is none. */
export const INPUT_DEFAULTS = {
  token: '',
  datasets: '',
  type: '',
  time: '',
  endTime: '',
  title: '',
  description: '',
  url: '',
  id: '',
  baseUrl: DEFAULT_BASE_URL,
  allowHttp: 'false',
  onOutage: 'warn',
  timeoutSeconds: '30',
  dryRun: 'false',
  summary: 'true',
  jobCheckRunId: '',
  jobStatus: '',
} as const

export type InputName = keyof typeof INPUT_DEFAULTS

/** The text of every input: what the workflow gave, or else the default. */
export type RawInputs = Record<InputName, string>

/** How to reach the service. */
export interface ServiceInputs {
  /** Empty only in a dry run. */
  token: string
  baseUrl: URL
  allowHttp: boolean
  timeoutMs: number
}

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

/** What the step does with the service. */
type Operation = { kind: 'create'; mark: NewMark } | { kind: 'change'; id: string; mark: MarkChange }

interface Settings {
  service: ServiceInputs
  onOutage: 'warn' | 'fail'
  dryRun: boolean
  summary: boolean
  /** The job's id, for the link to it; '' if the server does not provide it. */
  jobCheckRunId: string
  /** What was mended on the way, for the log. */
  warnings: string[]
}

export type ActionInputs = Settings & Operation
export type CreateInputs = Extract<ActionInputs, { kind: 'create' }>
export type ChangeInputs = Extract<ActionInputs, { kind: 'change' }>

/** @throws InputError with every problem found */
export function parseInputs(raw: RawInputs): ActionInputs {
  const { operation, ...settings } = parseAll<Settings & { operation: Operation }>({
    dryRun: () => parseBoolean('dryRun', raw.dryRun),
    operation: () => (raw.id === '' ? parseCreate(raw) : parseChange(raw)),
    service: () => parseService(raw, raw.dryRun.toLowerCase() !== 'true'),
    onOutage: () => parseChoice('onOutage', raw.onOutage, ['warn', 'fail']),
    summary: () => parseBoolean('summary', raw.summary),
    jobCheckRunId: () => raw.jobCheckRunId,
    warnings: () => [
      ...warnOfCut('title', raw.title, TITLE_POINTS_MAX),
      ...warnOfCut('description', raw.description, DESCRIPTION_POINTS_MAX),
    ],
  })
  return { ...settings, ...operation }
}

/** What the post step needs. @throws InputError */
export function parseCloseInputs(raw: RawInputs): { service: ServiceInputs; jobStatus: string } {
  return { service: parseService(raw), jobStatus: raw.jobStatus }
}

function parseCreate(raw: RawInputs): Operation {
  const given = readMark(raw)
  const mark = parseAll<NewMark>({
    ...given,
    datasets: () => given.datasets() ?? lack('input "datasets" is required: names of datasets, separated by commas'),
    type: () => given.type() ?? lack('input "type" is required: the kind of event, for example production-deploy'),
    time: () => given.time() ?? 'now',
  })
  return { kind: 'create', mark }
}

function parseChange(raw: RawInputs): Operation {
  const { id, ...mark } = parseAll<MarkChange & { id: string }>({ id: () => parseId(raw.id), ...readMark(raw) })
  if (Object.values(mark).some((value) => value !== undefined)) return { kind: 'change', id, mark }
  return lack(
    `input "id" is ${quote(raw.id)} but nothing to change is given: add endTime, title, description, url, time, type or datasets`,
  )
}

/** How each member is read; `undefined` where the input is empty. */
function readMark(raw: RawInputs): { [K in keyof NewMark]: () => NewMark[K] | undefined } {
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

function parseService(raw: RawInputs, needsToken = true): ServiceInputs {
  return parseAll<ServiceInputs>({
    token: () => (needsToken ? parseToken(raw.token) : raw.token),
    allowHttp: () => parseBoolean('allowHttp', raw.allowHttp),
    baseUrl: () => parseBaseUrl(raw.baseUrl, raw.allowHttp.toLowerCase() === 'true'),
    timeoutMs: () => parseTimeout(raw.timeoutSeconds),
  })
}

function warnOfCut(name: 'title' | 'description', text: string, pointsMax: number): string[] {
  const points = countPoints(text)
  return points <= pointsMax ? [] : [`input "${name}" has ${points} characters; it was cut to ${pointsMax}`]
}

function lack(problem: string): never {
  throw new InputError([problem])
}
