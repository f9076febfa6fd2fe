/**
 * Runners of workflows that need no account: nektos/act, and those of Gitea and Forgejo with their command `exec`. One of them runs a
 * workflow as a user's repository has it, in this machine's own processes (no containers), with the step as it ships. What came of
 * it is in the log, and in the service. Without act the tests that need a runner are skipped, unless one was asked for by its name.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DEFAULT_BASE_URL } from '@deployment-annotations/client/connection'
import { test } from '@jest/globals'
import { readNodePath } from '../../scripts/runner.ts'
import { serveRepositories } from './git-server.ts'
import { ACT } from './go-tools.ts'

/** What the runners differ in; the rest is alike, because all of them grew out of act. */
interface Runner {
  program: string
  /** How a person gets it, in the word about tests that are skipped. */
  remedy: string
  args: (run: { event: string; eventFile: string; folder: string; actionsUrl: string; versions: readonly string[] }) => string[]
  /** What the runner of a server gives every job, and `exec` leaves out. */
  env: Readonly<Record<string, string>>
  /** The server of the repository, and the page of the run there. */
  host: string
  runUrl: string
  /** What the line that closes a span says of a job that ended so, where the workflow does not give a `result`. */
  results: Readonly<Record<'success' | 'failure' | 'cancelled', string>>
}

/** What the command `exec` of Gitea's and Forgejo's runners has in common. */
const exec = (event: string, actionsUrl: string) => [
  'exec',
  `--event=${event}`,
  '--image=-self-hosted',
  `--default-actions-url=${actionsUrl}`,
]

/** Gitea's pages go by the id of a run, Forgejo's by its number. */
const RUN = { GITHUB_RUN_ID: '7001', GITHUB_RUN_NUMBER: '12', GITHUB_RUN_ATTEMPT: '1' }

const RUNNERS = {
  act: {
    program: ACT,
    remedy: 'npm run test:with -- act builds it',
    args: ({ event, eventFile, folder, versions }) => [
      ...[event, '--eventpath', eventFile, '--no-cache-server', '--action-cache-path', join(folder, 'cache')],
      ...['ubuntu-latest', 'ubuntu-24.04'].flatMap((image) => ['--platform', `${image}=-self-hosted`]),
      ...versions.flatMap((version) => ['--local-repository', `${STEP}@${version}=${join(folder, STEP)}`]),
    ],
    env: {},
    host: 'github.com',
    runUrl: 'https://github.com/acme/shop/actions/runs/1/attempts/1',
    results: { success: 'success', failure: 'failure', cancelled: 'canceled' },
  },
  'gitea-runner': {
    program: process.env.GITEA_RUNNER ?? '',
    remedy: 'GITEA_RUNNER names the program',
    args: ({ event, eventFile, folder, actionsUrl }) => [
      ...[...exec(event, actionsUrl), `--eventpath=${eventFile}`, '--gitea-instance=git.example.com'],
      // It serves artifacts, at a free port and to this machine alone.
      ...['--artifact-server-addr=127.0.0.1', '--artifact-server-port=0', `--artifact-server-path=${join(folder, 'artifacts')}`],
    ],
    env: { GITEA_ACTIONS: 'true', ...RUN },
    host: 'git.example.com',
    runUrl: 'https://git.example.com/acme/shop/actions/runs/7001',
    results: { success: 'ended', failure: 'ended', cancelled: 'ended' },
  },
  'forgejo-runner': {
    program: process.env.FORGEJO_RUNNER ?? '',
    remedy: 'FORGEJO_RUNNER names the program',
    args: ({ event, actionsUrl }) => [...exec(event, actionsUrl), '--forgejo-instance=git.example.com'],
    env: { GITEA_ACTIONS: 'true', FORGEJO_ACTIONS: 'true', ...RUN },
    host: 'git.example.com',
    runUrl: 'https://git.example.com/acme/shop/actions/runs/12',
    results: { success: 'success', failure: 'failure', cancelled: 'failure' },
  },
} satisfies Record<string, Runner>

const name = (process.env.TEST_RUNNER ?? 'act') as keyof typeof RUNNERS
/** The one that `npm run test:with` chose, act without it. */
export const runner: Runner = RUNNERS[name]

const isThere = existsSync(runner.program)
if (!isThere && process.env.TEST_RUNNER) throw new Error(`${name} is not on this machine, and it was asked for`)
if (!isThere) console.warn(`skipped: ${name} is not on this machine; ${runner.remedy}`)
export const testInRunner = isThere ? test : test.skip

/** Under which the workflows of README and recipes name the step. */
const STEP = 'OWNER/deployment-annotations'

export interface WorkflowOptions {
  /** Default: `push`. */
  event?: string
  /** The event's payload; `inputs` in it is what a person enters who starts the workflow by hand. */
  payload?: object
  secrets?: Readonly<Record<string, string>>
  /** `GITHUB_RUN_ID` and the like. */
  env?: Readonly<Record<string, string>>
  /** Only the jobs of the matrix with these values run, as when a person runs the failed ones again. */
  matrix?: Readonly<Record<string, string>>
  /** Cancels the run, as Ctrl-C does, when a line of its log ends with this. */
  cancelAt?: string
}

export interface WorkflowRun {
  exitCode: number | null
  log: string
}

/** The address of a service that is away, because nothing listens at this port. An outage takes a second then, not thirty. */
export const AWAY = 'http://127.0.0.1:1'

/** The folder, and these files, as a repository of its own; what asks the hosted service there asks these. */
export function makeRepository(
  from: string,
  services: Readonly<Record<'step' | 'compare', string>>,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'))
  const root = join(folder, 'shop')
  cpSync(from, root, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text.replaceAll(DEFAULT_BASE_URL, services.step))
  }
  const step = join(folder, STEP)
  cpSync('dist', join(step, 'dist'), { recursive: true })
  cpSync('compare', join(step, 'compare'), { recursive: true })
  for (const [action, serviceUrl] of [
    ['action.yml', services.step],
    ['compare/action.yml', services.compare],
  ] as const) {
    const text = readFileSync(action, 'utf8').replace(DEFAULT_BASE_URL, serviceUrl)
    writeFileSync(join(step, action), serviceUrl === AWAY ? text.replace(/(timeoutSeconds:.*?default: )'\d+'/s, "$1'1'") : text)
  }
  initRepository(root)('remote', 'add', 'origin', `https://${runner.host}/acme/shop.git`)
  const git = initRepository(step)
  // Every version of the step that a workflow names is the one of this repository.
  const versions = readStepVersions(root)
  for (const version of versions) git('tag', version)
  return {
    /** Runs commands in the repository. @returns what they print */
    shell: (commands: string) => runShell(root, commands),
    run: (workflow: string, options: WorkflowOptions = {}) => runWorkflow({ folder, versions, workflow }, options),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Makes a repository of a folder, with all of it in one commit. @returns runs git there */
function initRepository(root: string) {
  const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args])
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Tests')
  git('config', 'user.email', 'tests@localhost')
  git('add', '-A', '-f')
  git('commit', '-q', '-m', 'Sell more')
  return git
}

function runShell(root: string, commands: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', commands], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${commands}: ${stderr}`)
  return stdout.trim()
}

function readStepVersions(root: string): string[] {
  const { stdout } = spawnSync('grep', ['-rhoE', '--exclude-dir=.git', `${STEP}(/[a-z]+)?@[^ "']+`, root], { encoding: 'utf8' })
  return [...new Set(stdout.split('\n').filter(Boolean))].map((uses) => uses.slice(uses.indexOf('@') + 1))
}

async function runWorkflow(
  { folder, versions, workflow }: { folder: string; versions: readonly string[]; workflow: string },
  options: WorkflowOptions,
): Promise<WorkflowRun> {
  const { event = 'push', payload = {}, secrets = {}, env = {}, matrix = {}, cancelAt } = options
  const eventFile = join(folder, 'event.json')
  writeFileSync(eventFile, JSON.stringify(payload))
  const pairs = (flag: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`])
  await using repositories = await serveRepositories(folder)
  const args = [
    ...runner.args({ event, eventFile, folder, actionsUrl: repositories.url, versions }),
    ...['--workflows', join('.github/workflows', workflow)],
    ...pairs('--secret', secrets),
    ...pairs('--env', { ...runner.env, ...env }),
    ...Object.entries(matrix).flatMap(([name, value]) => ['--matrix', `${name}:${value}`]),
  ]
  const PATH = `${dirname(readNodePath())}:${process.env.PATH}`
  // A home of its own: no settings of the person who runs the tests, and nothing left behind.
  const child = spawn(runner.program, args, {
    cwd: join(folder, 'shop'),
    env: { PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let isCanceled = false
  const log = collect(child, (text) => {
    if (isCanceled || !cancelAt || !text.includes(`${cancelAt}\n`)) return
    isCanceled = child.kill('SIGINT')
  })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, log: log() }
}

/** @param onText called with the whole text whenever it grows */
function collect(child: ChildProcess, onText: (text: string) => void): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      onText(text)
    })
  return () => text
}
