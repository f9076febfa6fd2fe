/**
 * The inputs of the step `compare`: names and defaults as in compare/action.yml (a test compares the two). Their rules are those of
 * the command too (packages/inputs).
 */
import { DEFAULT_BASE_URL } from '@deployment-annotations/client/connection'
import {
  COMPARISON_DEFAULTS,
  COMPARISON_FORMER_NAMES,
  type ComparisonInputs,
  parseComparison,
  parseGateOutage,
} from '@deployment-annotations/inputs/comparison'
import { parseAll, refuse } from '@deployment-annotations/inputs/input-error'
import { parseBoolean } from '@deployment-annotations/inputs/input-values'
import { parseService, type ServiceInputs } from '@deployment-annotations/inputs/service'
import { NO_TOKEN } from '../action/step-door.ts'

/** Every input and its default; '' means that there is none. */
export const COMPARE_INPUT_DEFAULTS = {
  token: '',
  ...COMPARISON_DEFAULTS,
  baseUrl: DEFAULT_BASE_URL,
  allowHttp: 'false',
  onOutage: '',
  timeoutSeconds: '60',
  summary: 'true',
  githubToken: '',
  deploymentId: '',
  requireGithub: 'false',
} as const

/** What inputs were called before. */
export const FORMER_NAMES = { ...COMPARISON_FORMER_NAMES, deploymentId: 'deployment' } as const

export type RawCompareInputs = Record<keyof typeof COMPARE_INPUT_DEFAULTS, string>

export interface CompareInputs {
  comparison: ComparisonInputs
  connection: ServiceInputs
  onOutage: 'warn' | 'fail'
  summary: boolean
  github: GithubInputs
}

/** Where the verdict is written besides the job. */
export interface GithubInputs {
  /** '' if nothing is written to GitHub. */
  token: string
  /** The id of GitHub's deployment, or ''. */
  deploymentId: string
  isRequired: boolean
}

/** @throws InputError with every problem found */
export function parseCompareInputs(raw: RawCompareInputs): CompareInputs {
  return parseAll<CompareInputs>({
    comparison: () => parseComparison(raw),
    // With `source` and `time` no annotation service is needed, and there may be none.
    connection: () => parseService(raw, NO_TOKEN, raw.source === '' || raw.id !== ''),
    onOutage: () => parseGateOutage(raw),
    summary: () => parseBoolean('summary', raw.summary),
    github: () => ({
      token: raw.githubToken,
      deploymentId: parseDeploymentId(raw.deploymentId),
      isRequired: parseBoolean('requireGithub', raw.requireGithub),
    }),
  })
}

/** @throws InputError */
function parseDeploymentId(text: string): string {
  if (/^\d{0,18}$/.test(text)) return text
  return refuse('deploymentId', ` must be the id of a deployment of GitHub, a number, got ${JSON.stringify(text)}`)
}
