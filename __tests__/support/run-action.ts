/**
 * Runs the built bundle as a runner does, and takes its log apart.
 */
import { runStep, type StepOptions, type StepResult } from '../../scripts/runner.ts'

/** A job on github.com; its id is given by `check_run_id`. */
export const GITHUB_ENV = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'octo/shop',
  GITHUB_RUN_ID: '7001',
  GITHUB_RUN_NUMBER: '12',
  GITHUB_RUN_ATTEMPT: '2',
}

export const JOB_URL = 'https://github.com/octo/shop/actions/runs/7001/job/9001'

export interface ActionRun extends StepResult {
  /** Texts of the `::error`, `::warning` and `::add-mask` commands, as the runner decodes them. */
  errors: string[]
  warnings: string[]
  masks: string[]
  /** Lines that are no command. */
  log: string[]
}

export type RunOptions = Partial<Omit<StepOptions, 'inputs' | 'phase'>>

export async function runAction(inputs: Record<string, string>, options: RunOptions = {}): Promise<ActionRun> {
  return run('main', inputs, options)
}

/** The step `compare`. */
export async function runCompare(inputs: Record<string, string>, options: RunOptions = {}): Promise<ActionRun> {
  return run('main', inputs, { action: 'compare', ...options })
}

/** The post step of a main step that ran with the same inputs. */
export async function runPost(main: ActionRun, inputs: Record<string, string>, options: RunOptions = {}): Promise<ActionRun> {
  return run('post', inputs, { state: main.state, ...options })
}

async function run(phase: 'main' | 'post', inputs: Record<string, string>, options: RunOptions): Promise<ActionRun> {
  const result = await runStep({ job: { checkRunId: '9001' }, ...options, phase, inputs, env: { ...GITHUB_ENV, ...options.env } })
  const lines = result.stdout.split(/[\r\n]+/).filter((line) => line !== '')
  const commands = (name: string) =>
    lines.flatMap((line) => {
      const match = new RegExp(`^\\s*::${name}(?: [^:]*)?::(.*)$`).exec(line)
      return match?.[1] === undefined ? [] : [match[1].replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')]
    })
  return {
    ...result,
    errors: commands('error'),
    warnings: commands('warning'),
    masks: commands('add-mask'),
    log: lines.filter((line) => !line.trimStart().startsWith('::')),
  }
}
