/**
 * Runs a step of this action as a CI runner would: a child process on the Node that `using:` names, inputs with their
 * defaults in `INPUT_*`, the job in `GITHUB_*`, and files for outputs, state and summary.
 * For the quickstart and the tests. Deliberately not here: expressions other than those that action.yml uses.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { parse } from 'yaml'

const ACTION_FOLDER = join(import.meta.dirname, '..')

/** The parts of action.yml that a runner acts on. */
export interface ActionFile {
  inputs: Record<string, { description: string; default?: string }>
  outputs: Record<string, { description: string }>
  runs: { using: string; main: string; post?: string; 'post-if'?: string }
}

export interface StepOptions {
  /** Folder of the action from the top; the action at the top by default. */
  action?: string
  phase: 'main' | 'post'
  /** What the workflow's `with:` gives. */
  inputs: Record<string, string>
  /** The job that the default values of inputs ask for. */
  job?: { checkRunId?: string; status?: string; matrix?: object }
  /** What the main step saved, for the post step. */
  state?: Record<string, string>
  /** Variables of the job besides the runner's own. */
  env?: Record<string, string>
  /** Cancels the job as a runner does: SIGINT when it fires. */
  signal?: AbortSignal
  /** Sees the log as it grows. */
  onLog?: (text: string) => void
}

export interface StepResult {
  /** `null` where a signal ended it. */
  exitCode: number | null
  stdout: string
  stderr: string
  outputs: Record<string, string>
  state: Record<string, string>
  summary: string
  durationMs: number
}

/** @param action its folder, from the top */
export function readActionFile(action = ''): ActionFile {
  return parse(readFileSync(join(ACTION_FOLDER, action, 'action.yml'), 'utf8')) as ActionFile
}

export async function runStep(options: StepOptions): Promise<StepResult> {
  const { action = '', phase, onLog, signal } = options
  const { runs, inputs: declared } = readActionFile(action)
  const folder = mkdtempSync(join(tmpdir(), 'step-'))
  const file = (name: string) => join(folder, name)
  for (const name of ['output', 'state', 'summary']) writeFileSync(file(name), '')
  const env = {
    PATH: process.env.PATH ?? '',
    GITHUB_OUTPUT: file('output'),
    GITHUB_STATE: file('state'),
    GITHUB_STEP_SUMMARY: file('summary'),
    ...prefix('STATE_', options.state ?? {}),
    ...toInputVariables(declared, options),
    ...options.env,
  }
  const startedAt = Date.now()
  const child = spawn(process.env.STEP_NODE || readNodePath(), [join(ACTION_FOLDER, action, runs[phase] ?? '')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const cancel = () => child.kill('SIGINT')
  signal?.addEventListener('abort', cancel)
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (onLog) for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onLog)
  try {
    const [stdout, stderr, exitCode] = await Promise.all([readText(child.stdout), readText(child.stderr), ended])
    const durationMs = Date.now() - startedAt
    const read = (name: string) => readFileSync(file(name), 'utf8')
    const files = {
      outputs: parseFileCommands(read('output')),
      state: parseFileCommands(read('state')),
      summary: read('summary'),
    }
    return { exitCode, stdout, stderr, ...files, durationMs }
  } finally {
    signal?.removeEventListener('abort', cancel)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The Node of the devDependencies, which is the one that `using:` names, whatever runs this; STEP_NODE is another for the step alone. */
export function readNodePath(): string {
  return join(ACTION_FOLDER, 'node_modules/node/bin/node')
}

function toInputVariables(declared: ActionFile['inputs'], { inputs, job = {} }: StepOptions): Record<string, string> {
  const evaluate = (text: string) =>
    text
      .replace(/\$\{\{ job\.check_run_id \}\}/, job.checkRunId ?? '')
      .replace(/\$\{\{ job\.status \}\}/, job.status ?? 'success')
      .replace(/\$\{\{ toJSON\(matrix\) \}\}/, JSON.stringify(job.matrix ?? null))
  const defaults = Object.fromEntries(Object.entries(declared).map(([name, input]) => [name, evaluate(input.default ?? '')]))
  const given = Object.entries({ ...defaults, ...inputs }).map(([name, value]) => [
    name.replaceAll(' ', '_').toUpperCase(),
    value,
  ])
  return prefix('INPUT_', Object.fromEntries(given) as Record<string, string>)
}

function prefix(text: string, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [text + name, value]))
}

/** `name<<delimiter`, lines, `delimiter`; or `name=value`. A name that comes twice has its last value. */
function parseFileCommands(text: string): Record<string, string> {
  const values: Record<string, string> = {}
  const lines = text.split('\n')
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const block = /^([^=<]+)<<(.+)$/.exec(line)
    const [, name, delimiter] = block ?? []
    if (name !== undefined && delimiter !== undefined) {
      const end = lines.indexOf(delimiter)
      if (end === -1) throw new Error(`the value of ${name} has no end`)
      values[name] = lines
        .splice(0, end + 1)
        .slice(0, -1)
        .join('\n')
    } else if (line.includes('=')) {
      values[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1)
    } else if (line !== '') {
      throw new Error(`not a file command: ${line}`)
    }
  }
  return values
}
