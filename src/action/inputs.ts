/**
 * The step's inputs: names and defaults as in action.yml (a test compares the two), and how they are parsed. All problems are reported
 * at once. Deliberately not here: the rules that the command has too (packages/inputs), and what the environment says about the job
 * (job.ts).
 */
import { DEFAULT_BASE_URL } from '@deployment-annotations/client/connection'
import { NothingToDo, parseAll } from '@deployment-annotations/inputs/input-error'
import { parseWait } from '@deployment-annotations/inputs/input-length'
import { parseBoolean, parseChoice } from '@deployment-annotations/inputs/input-values'
import { type ChangeOperation, type NewOperation, parseChange, parseCreate } from '@deployment-annotations/inputs/mark'
import { parseService, type ServiceInputs } from '@deployment-annotations/inputs/service'
import { NO_TOKEN } from './step-door.ts'

/** The beginning of the default of the input `result` (action.yml), which no workflow gives. */
export const BY_RUNNER = 'runner: '

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
  key: '',
  typeOnFailure: '',
  githubToken: '',
  wait: '',
  baseUrl: DEFAULT_BASE_URL,
  allowHttp: 'false',
  onOutage: 'warn',
  onError: 'fail',
  ifNoToken: 'fail',
  timeoutSeconds: '30',
  dryRun: 'false',
  summary: 'true',
  jobCheckRunId: '',
  result: BY_RUNNER,
  jobMatrix: '',
} as const

type InputName = keyof typeof INPUT_DEFAULTS

/** What inputs were called before. */
export const FORMER_NAMES = { result: 'jobStatus', wait: 'waitForVerdict' } as const

/** The text of every input: what the workflow gave, or else the default. */
export type RawInputs = Record<InputName, string>

interface Settings {
  service: ServiceInputs
  onOutage: 'warn' | 'fail'
  onError: 'warn' | 'fail'
  ifNoToken: 'fail' | 'skip'
  dryRun: boolean
  summary: boolean
  /** Token that reads the repository, to describe what was shipped; '' if that is not wanted. */
  githubToken: string
  /** How long the post step waits for the verdict of the service, in milliseconds; 0: it does not. */
  waitMs: number
  /** The job's id, for the link to it; '' if the server does not provide it. */
  jobCheckRunId: string
  /** What distinguishes the job from others of the same name; '' if the server does not provide it. */
  jobMatrix: string
}

export type CreateInputs = Settings & NewOperation
export type ChangeInputs = Settings & ChangeOperation
export type ActionInputs = CreateInputs | ChangeInputs

/**
 * Whether the inputs would close a span that was never opened: without an `id`, they would create a span from now until now, or one
 * without a dataset.
 */
function closesNothing({ id, time, endTime, datasets }: RawInputs): boolean {
  if (id !== '' || time !== '') return false
  return endTime === 'now' || (datasets === '' && endTime !== '' && endTime !== 'job-end')
}

/** @throws InputError with every problem found. @throws NothingToDo */
export function parseInputs(raw: RawInputs): ActionInputs {
  if (closesNothing(raw)) throw new NothingToDo('There is no span to close: "id" is empty. Did the step that made it run?')
  const { operation, ...settings } = parseAll<Settings & { operation: NewOperation | ChangeOperation }>({
    dryRun: () => parseBoolean('dryRun', raw.dryRun),
    operation: () => (raw.id === '' ? parseCreate(raw, { jobEnd: true }) : parseChange(raw, { jobEnd: true })),
    service: () => parseService(raw, NO_TOKEN, raw.dryRun !== 'true' && raw.ifNoToken !== 'skip'),
    onOutage: () => parseChoice('onOutage', raw.onOutage, ['warn', 'fail']),
    onError: () => parseChoice('onError', raw.onError, ['fail', 'warn']),
    ifNoToken: () => parseChoice('ifNoToken', raw.ifNoToken, ['fail', 'skip']),
    summary: () => parseBoolean('summary', raw.summary),
    githubToken: () => raw.githubToken.trim(),
    jobCheckRunId: () => raw.jobCheckRunId,
    jobMatrix: () => raw.jobMatrix,
    waitMs: () => parseWait(raw.wait),
  })
  return { ...settings, ...operation }
}
