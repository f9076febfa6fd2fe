/**
 * nektos/act, a runner of workflows that needs no account: runs a workflow as a user's repository has it, in this machine's own
 * processes (no containers), with the step as it ships. What came of it is in the log, and in the service.
 * `.ci/build-act.ts` builds act. Where it is not built, the tests that need it are skipped.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DEFAULT_BASE_URL } from '@deployment-annotations/client/connection'
import { readNodePath } from '../../scripts/runner.ts'

export const ACT_VERSION = 'v0.2.89'
/** Outside of the repository, so that it outlives a checkout. */
const CACHE = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
/** Where `.ci/build-act.ts` puts it; `ACT` in the environment names another one. */
export const ACT_FOLDER = join(CACHE, 'deployment-annotations', `act-${ACT_VERSION}`)
export const ACT = process.env.ACT || join(ACT_FOLDER, 'act')

export const hasAct = existsSync(ACT)

/** Under which the workflows of README and recipes name the step. */
const STEP = 'OWNER/deployment-annotations'

export interface ActOptions {
  /** Default: `push`. */
  event?: string
  /** The event's payload; `inputs` in it is what a person enters who starts the workflow by hand. */
  payload?: object
  secrets?: Readonly<Record<string, string>>
  /** `GITHUB_RUN_ID` and the like. */
  env?: Readonly<Record<string, string>>
}

export interface ActRun {
  exitCode: number | null
  log: string
}

/** The folder, and these files, as a repository of its own; what asks the hosted service there asks this one. */
export function makeRepository(from: string, serviceUrl: string, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'act-'))
  const root = join(folder, 'shop')
  cpSync(from, root, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text.replaceAll(DEFAULT_BASE_URL, serviceUrl))
  }
  const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args])
  git('init', '-q', '-b', 'main')
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  git('add', '-A')
  git('-c', 'user.name=Tests', '-c', 'user.email=tests@localhost', 'commit', '-q', '-m', 'Sell more')
  const step = join(folder, 'step')
  cpSync('dist', join(step, 'dist'), { recursive: true })
  cpSync('compare', join(step, 'compare'), { recursive: true })
  for (const action of ['action.yml', 'compare/action.yml'])
    writeFileSync(join(step, action), readFileSync(action, 'utf8').replace(DEFAULT_BASE_URL, serviceUrl))
  return {
    run: (workflow: string, options: ActOptions = {}) => runAct(folder, workflow, options),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function runAct(folder: string, workflow: string, options: ActOptions): Promise<ActRun> {
  const { event = 'push', payload = {}, secrets = {}, env = {} } = options
  const root = join(folder, 'shop')
  const eventFile = join(folder, 'event.json')
  writeFileSync(eventFile, JSON.stringify(payload))
  const pairs = (flag: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`])
  const used = readStepVersions(root)
  const args = [
    ...[event, '--eventpath', eventFile, '--no-cache-server', '--action-cache-path', join(folder, 'cache')],
    ...['ubuntu-latest', 'ubuntu-24.04'].flatMap((image) => ['--platform', `${image}=-self-hosted`]),
    ...used.flatMap((version) => ['--local-repository', `${STEP}@${version}=${join(folder, 'step')}`]),
    ...['--workflows', join('.github/workflows', workflow)],
    ...pairs('--secret', secrets),
    ...pairs('--env', env),
  ]
  const PATH = `${dirname(readNodePath())}:${process.env.PATH}`
  // A home of its own: no settings of the person who runs the tests, and nothing left behind.
  const child = spawn(ACT, args, { cwd: root, env: { PATH, HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] })
  const log = collect(child)
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, log: log() }
}

/** Every version of the step that a workflow names is the one of this repository. */
function readStepVersions(root: string): string[] {
  const { stdout } = spawnSync('grep', ['-rhoE', `${STEP}@[^ "']+`, root], { encoding: 'utf8' })
  return [...new Set(stdout.split('\n').filter(Boolean))].map((uses) => uses.slice(STEP.length + 1))
}

function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  return () => text
}
