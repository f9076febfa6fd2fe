/**
 * The step's inputs: names and defaults as in action.yml (a test compares the two), and how they become what the step is to
 * do. All problems are reported at once. Deliberately not here: the rules that the command has too (packages/inputs), and what
 * the environment tells about the job (job.ts).
 */
import { DEFAULT_BASE_URL } from '@deployment-annotations/client/connection'
import { type Problem, parseAll } from '@deployment-annotations/inputs/input-error'
import { parseBoolean, parseChoice } from '@deployment-annotations/inputs/input-values'
import {
  type ChangeOperation,
  type NewOperation,
  parseChange,
  parseCreate,
  warnOfCuts,
} from '@deployment-annotations/inputs/mark'
import { parseService, type ServiceInputs, warnOfWhitespace } from '@deployment-annotations/inputs/service'
import { parseVerdictWait } from '@deployment-annotations/inputs/verdict-wait'
import { BY_RUNNER, readJobStatus } from './job-status.ts'
import { NO_TOKEN } from './step-door.ts'

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
  waitForVerdict: '',
  baseUrl: DEFAULT_BASE_URL,
  allowHttp: 'false',
  onOutage: 'warn',
  onError: 'fail',
  ifNoToken: 'fail',
  timeoutSeconds: '30',
  dryRun: 'false',
  summary: 'true',
  jobCheckRunId: '',
  jobStatus: BY_RUNNER,
  jobMatrix: '',
} as const

type InputName = keyof typeof INPUT_DEFAULTS

/** The text of every input: what the workflow gave, or else the default. */
export type RawInputs = Record<InputName, string>

interface Settings {
  service: ServiceInputs
  onOutage: 'warn' | 'fail'
  onError: 'warn' | 'fail'
  ifNoToken: 'fail' | 'skip'
  dryRun: boolean
  summary: boolean
  /** Reads the repository, for what was shipped; '' where nobody wants to know. */
  githubToken: string
  /** How long the post step waits for the verdict of the service; 0: it does not. */
  waitMs: number
  /** The job's id, for the link to it; '' if the server does not provide it. */
  jobCheckRunId: string
  /** What tells the job from others of the same name; '' if the server does not provide it. */
  jobMatrix: string
  /** What was corrected on the way, for the log. */
  warnings: Problem[]
}

export type CreateInputs = Settings & NewOperation
export type ChangeInputs = Settings & ChangeOperation
export type ActionInputs = CreateInputs | ChangeInputs

/** Whether a span is to be closed that was not opened: nobody wants a new one from now until now. */
export function closesNothing({ id, time, endTime }: RawInputs): boolean {
  return id === '' && time === '' && endTime === 'now'
}

/** @throws InputError with every problem found */
export function parseInputs(raw: RawInputs): ActionInputs {
  const { operation, ...settings } = parseAll<Settings & { operation: NewOperation | ChangeOperation }>({
    dryRun: () => parseBoolean('dryRun', raw.dryRun),
    operation: () => (raw.id === '' ? parseCreate(raw, { jobEnd: true }) : parseChange(raw, { jobEnd: true })),
    service: () => {
      const needsToken = raw.dryRun.toLowerCase() !== 'true' && raw.ifNoToken !== 'skip'
      return parseService(raw, { needsToken: needsToken || raw.token.trim() !== '', noToken: NO_TOKEN })
    },
    onOutage: () => parseChoice('onOutage', raw.onOutage, ['warn', 'fail']),
    onError: () => parseChoice('onError', raw.onError, ['fail', 'warn']),
    ifNoToken: () => parseChoice('ifNoToken', raw.ifNoToken, ['fail', 'skip']),
    summary: () => parseBoolean('summary', raw.summary),
    githubToken: () => raw.githubToken.trim(),
    jobCheckRunId: () => raw.jobCheckRunId,
    jobMatrix: () => raw.jobMatrix,
    waitMs: () => parseVerdictWait(raw.waitForVerdict),
    warnings: () => [...warnOfWhitespace(raw), ...warnOfCuts(raw)],
  })
  return { ...settings, ...operation }
}

type CloseInputs = Pick<Settings, 'service' | 'waitMs' | 'summary'> & { jobStatus: string }

/** What the post step needs. @throws InputError */
export function parseCloseInputs(raw: RawInputs, env: NodeJS.ProcessEnv): CloseInputs {
  return {
    service: parseService(raw, { noToken: NO_TOKEN }),
    jobStatus: readJobStatus(raw.jobStatus, env),
    waitMs: parseVerdictWait(raw.waitForVerdict),
    summary: raw.summary.toLowerCase() !== 'false',
  }
}
