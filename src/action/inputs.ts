/**
 * The step's inputs: names and defaults as in action.yml (a test compares the two), and text to checked values.
 * All problems are reported at once. Deliberately not here: what the runner tells about the job (job.ts).
 */

import { checkToken, DEFAULT_BASE_URL, parseBaseUrl } from '@deployment-annotations/client/connection'
import { ConfigError } from '@deployment-annotations/client/errors'
import { ID_PATTERN } from '@deployment-annotations/client/reply'
import {
  ANNOTATION_TYPE_PATTERN,
  DESCRIPTION_POINTS_MAX,
  TITLE_POINTS_MAX,
  TYPE_POINTS_MAX,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import { InputError } from './input-error.ts'
import { type InputTime, parseInputTime } from './input-time.ts'
import { quote } from './text.ts'

/** Every input and its default; '' is none. */
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

/** What the workflow gave, '' where it gave nothing. */
export type RawInputs = Record<InputName, string>

/** How to reach the service. */
export interface ServiceInputs {
  /** Empty only in a dry run. */
  token: string
  baseUrl: URL
  allowHttp: boolean
  timeoutMs: number
}

/** What to mark. Members that were not given are absent. */
export interface MarkInputs {
  datasets?: string[]
  type?: string
  time?: InputTime
  endTime?: InputTime | 'job-end'
  title?: string
  description?: string
  url?: string
}

export interface ActionInputs {
  mark: MarkInputs
  /** The annotation to change; absent: create one. */
  id?: string
  service: ServiceInputs
  onOutage: 'warn' | 'fail'
  dryRun: boolean
  summary: boolean
  /** What was mended on the way, for the log. */
  warnings: string[]
}

const TIMEOUT_SECONDS_MAX = 3_600

/** @throws InputError with every problem found */
export function parseInputs(raw: RawInputs): ActionInputs {
  const problems: string[] = []
  /** Runs one check, and goes on with the next input where it fails. */
  const check = <T>(parse: () => T): T | undefined => {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof InputError || error instanceof ConfigError)) throw error
      problems.push(error.message)
      return undefined
    }
  }
  const warnings: string[] = []
  const dryRun = check(() => parseBoolean('dryRun', raw.dryRun)) ?? false
  const mark = dropAbsent<MarkInputs>({
    datasets: check(() => parseDatasets(raw.datasets)),
    type: check(() => parseType(raw.type)),
    time: check(() => parseInputTime('time', raw.time)),
    endTime: raw.endTime === 'job-end' ? 'job-end' : check(() => parseInputTime('endTime', raw.endTime)),
    title: cut('title', raw.title, TITLE_POINTS_MAX, warnings),
    description: cut('description', raw.description, DESCRIPTION_POINTS_MAX, warnings),
    url: check(() => parseUrl(raw.url)),
  })
  const id = raw.id === '' ? undefined : check(() => parseId(raw.id))
  if (raw.id === '') {
    if (raw.datasets === '') problems.push('input "datasets" is required: names of datasets, separated by commas')
    if (raw.type === '') problems.push('input "type" is required: the kind of event, for example production-deploy')
  } else if (Object.keys(mark).length === 0 && problems.length === 0) {
    problems.push(
      `input "id" is ${quote(raw.id)} but nothing to change is given: add endTime, title, description, url, time, type or datasets`,
    )
  }
  const service = check(() => parseService(raw, dryRun))
  const onOutage = check(() => parseChoice('onOutage', raw.onOutage, ['warn', 'fail'] as const))
  const summary = check(() => parseBoolean('summary', raw.summary))
  if (problems.length > 0 || !service || !onOutage || summary === undefined) throw new InputError(problems)
  return { mark, ...(id === undefined ? {} : { id }), service, onOutage, dryRun, summary, warnings }
}

/** @throws InputError or ConfigError */
export function parseService(raw: RawInputs, dryRun = false): ServiceInputs {
  const allowHttp = parseBoolean('allowHttp', raw.allowHttp)
  if (!dryRun) checkTokenInput(raw.token)
  return {
    token: raw.token,
    baseUrl: parseBaseUrl(raw.baseUrl || INPUT_DEFAULTS.baseUrl, allowHttp),
    allowHttp,
    timeoutMs: parseTimeout(raw.timeoutSeconds) * 1_000,
  }
}

function checkTokenInput(token: string): void {
  try {
    checkToken(token)
  } catch (error) {
    const advice =
      token === ''
        ? 'pass a secret of the repository or environment, for example secrets.AXIOM_TOKEN. Secrets are absent in workflows that run for a fork and in Dependabot ' +
          'runs, and a reusable workflow gets them only where its caller passes them (`secrets: inherit`)'
        : 'store the secret again without it'
    throw new InputError([`input "token": ${(error as ConfigError).message}; ${advice}`])
  }
}

function parseDatasets(text: string): string[] | undefined {
  if (text === '') return undefined
  const names = [...new Set(text.split(/[,\r\n]/).map((name) => name.trim()))].filter((name) => name !== '')
  if (names.length === 0) throw new InputError([`input "datasets" is ${quote(text)} and names no dataset`])
  const wrong = names.filter((name) => !DATASET_NAME_PATTERN.test(name))
  if (wrong.length > 0) {
    const rule = 'a dataset name has 1 to 128 ASCII letters, digits and "-"; names are separated by commas'
    throw new InputError([`input "datasets" holds ${wrong.map(quote).join(', ')}: ${rule}`])
  }
  return names
}

function parseType(text: string): string | undefined {
  if (text === '') return undefined
  if (ANNOTATION_TYPE_PATTERN.test(text) && countPoints(text) <= TYPE_POINTS_MAX) return text
  const rule = `a type has lower-case letters, digits and "-" only, at most ${TYPE_POINTS_MAX}`
  const suggestion = suggestType(text)
  const hint = suggestion === '' ? '' : `; did you mean ${quote(suggestion)}?`
  throw new InputError([`input "type" is ${quote(text)}: ${rule}${hint}`])
}

/** The nearest valid spelling; '' where nothing of the text is left. */
function suggestType(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, TYPE_POINTS_MAX)
    .replace(/^-+|-+$/g, '')
}

function parseUrl(text: string): string | undefined {
  if (text === '') return undefined
  const points = countPoints(text)
  if (points > URL_POINTS_MAX)
    throw new InputError([`input "url" has ${points} characters, at most ${URL_POINTS_MAX} are stored: ${quote(text)}`])
  return text
}

function parseId(text: string): string {
  if (!ID_PATTERN.test(text))
    throw new InputError([`input "id" is ${quote(text)}: an id looks like ann_… and is the "id" output of the step that made it`])
  return text
}

function parseTimeout(text: string): number {
  const value = text === '' ? Number(INPUT_DEFAULTS.timeoutSeconds) : Number(text)
  if (/^[\d.]*$/.test(text) && value > 0 && value <= TIMEOUT_SECONDS_MAX) return value
  throw new InputError([`input "timeoutSeconds" is ${quote(text)}: seconds greater than 0, at most ${TIMEOUT_SECONDS_MAX}`])
}

function parseBoolean(name: 'allowHttp' | 'dryRun' | 'summary', text: string): boolean {
  return parseChoice(name, text.toLowerCase(), ['true', 'false']) === 'true'
}

function parseChoice<T extends string>(name: InputName, text: string, choices: readonly T[]): T {
  const value = text === '' ? INPUT_DEFAULTS[name] : text
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) throw new InputError([`input "${name}" is ${quote(text)}: it must be ${choices.join(' or ')}`])
  return choice
}

function cut(name: 'title' | 'description', text: string, pointsMax: number, warnings: string[]): string | undefined {
  if (text === '') return undefined
  const kept = cutText(text, pointsMax)
  if (kept !== text) warnings.push(`input "${name}" has ${countPoints(text)} characters; it was cut to ${pointsMax}`)
  return kept
}

function dropAbsent<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}
