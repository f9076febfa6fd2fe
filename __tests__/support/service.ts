/**
 * Starts the real service for a test: `packages/service/bin/annotation-service.cjs` as a child process on a free loopback port, with a temporary data
 * directory and a known personal token. What a test asserts comes from its answers, its log, its exit code and its files.
 * Deliberately not here: requests; tests send their own.
 *
 *   await using service = await startService()
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startSeveral } from './several-services.ts'
import { databasesOf, SERVICES } from './shared-servers.ts'

/** The personal token that a started service accepts unless told otherwise. */
export const TEST_TOKEN = 'xapt-0123456789abcdef0123456789abcdef'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The Node that the service runs on, whichever runs the tests. */
export const NODE_24 = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin/node')

const READY_MS_MAX = 110_000
const STOP_MS_MAX = 20_000
const COMMAND_MS_MAX = 30_000

export interface StartOptions {
  /** Kept after the test when given; otherwise a temporary one that goes with the service. */
  dataDir?: string
  /** Personal token of this run; `null` starts without one, so that the service uses or makes stored ones. */
  token?: string | null
  /** 0, the default, takes any free port. */
  port?: number
  /** More flags, for example `['--clickhouse', url]`. */
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Another program that takes the same flags and prints the same line; by default `packages/service/bin/annotation-service.cjs`. */
  script?: string
}

/** One line of the request log. */
interface RequestLine {
  event: 'request'
  level: 'info' | 'error'
  time: string
  method: string
  path: string
  status: number
  durationMs: number
  traceId: string
  address: string
  createdId?: string
  tokenId?: string
  tokenName?: string
}

export interface RunningService {
  url: string
  token: string
  dataDir: string
  pid: number
  /** The request log so far. A line is written when its answer is through, so it may arrive a moment after the answer. */
  readonly requests: RequestLine[]
  readonly stdout: string
  readonly stderr: string
  /** Resolves with the log once it has so many lines; rejects after 5 s. */
  waitForRequests(count: number): Promise<RequestLine[]>
  /** SIGTERM (or `signal`); resolves with how the process ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  /** SIGKILL: what a crash or the kernel does. */
  kill(): Promise<Ended>
  /** Ends it, by SIGKILL where that disturbs nobody else, because a stop takes time; temporary data goes with it. */
  [Symbol.asyncDispose](): Promise<void>
}

interface Ended {
  exitCode: number | null
  signal: NodeJS.Signals | null
}

/** @returns the service once it accepts requests; rejects with its output if it ends before that */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'annotation-service-'))
  const env = { ...(await databasesOf(dataDir)), ...options.env }
  if (SERVICES > 1 && options.dataDir === undefined && options.args === undefined)
    return startSeveral(SERVICES, dataDir, startOne, { ...options, env })
  return startOne({ ...options, env }, dataDir)
}

async function startOne(options: StartOptions, dataDir = options.dataDir ?? ''): Promise<RunningService> {
  const token = options.token === undefined ? TEST_TOKEN : options.token
  const flags = ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--data', dataDir, ...(options.args ?? [])]
  const env = { ...options.env, ...(token === null ? {} : { ANNOTATION_SERVICE_TOKEN: token }) }
  const child = spawnService(flags, env, { script: options.script })
  const ended = new Promise<Ended>((resolve) => child.once('close', (exitCode, signal) => resolve({ exitCode, signal })))
  const output = collect(child)
  const removeData = () => (options.dataDir === undefined ? rmSync(dataDir, { recursive: true, force: true }) : undefined)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const timeout = new AbortController()
    const outcome = await Promise.race([ended, sleep(STOP_MS_MAX, undefined, { signal: timeout.signal })])
    timeout.abort()
    if (outcome) return outcome
    child.kill('SIGKILL')
    throw new Error(`the service did not end within ${STOP_MS_MAX} ms of ${signal}:\n${output.stderr}`)
  }

  const url = await readyUrl(child, output, ended).catch(async (error: unknown) => {
    await end('SIGKILL')
    removeData()
    throw error
  })
  const requests = () => parseLog(output.stderr)
  return {
    url,
    token: token ?? '',
    dataDir,
    pid: child.pid as number,
    get requests() {
      return requests()
    },
    get stdout() {
      return output.stdout
    },
    get stderr() {
      return output.stderr
    },
    async waitForRequests(count) {
      for (let waitedMs = 0; requests().length < count; waitedMs += 10) {
        if (waitedMs > 5_000) throw new Error(`expected ${count} request lines, got ${JSON.stringify(requests())}`)
        await sleep(10)
      }
      return requests()
    },
    stop: (signal = 'SIGTERM') => end(signal),
    kill: () => end('SIGKILL'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end(isAlone(options) ? 'SIGKILL' : 'SIGTERM')
      removeData()
    },
  }
}

const SHARING_FLAGS = ['--clickhouse', '--postgres', '--supervise']
const SHARING_VARIABLES = ['ANNOTATION_SERVICE_CLICKHOUSE', 'ANNOTATION_SERVICE_POSTGRES']

/** Whether nobody else has a part in what it keeps, so that it need not be left in order. */
function isAlone({ dataDir, args = [], env = {} }: StartOptions): boolean {
  return (
    dataDir === undefined && !SHARING_FLAGS.some((flag) => args.includes(flag)) && !SHARING_VARIABLES.some((name) => name in env)
  )
}

/**
 * Runs the service's command line to its end, for example `['token', 'list', '--data', dir]` or bad flags.
 * @param input what it reads from stdin
 * @returns what it printed, and its exit code; `null` if it did not end within 30 s and was killed
 */
export async function runServiceCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}, input?: string) {
  const data = args[args.indexOf('--data') + 1]
  const databases = args.includes('--data') && data !== undefined ? await databasesOf(data) : {}
  const child = spawnService(args, { ...databases, ...env }, { input })
  const output = collect(child)
  // A command that should have been refused, and serves instead, must not outlive the test.
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS_MAX)
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return { exitCode, ...output }
}

interface SpawnOptions {
  /** For its standard input. */
  input?: string | undefined
  script?: string | undefined
}

function spawnService(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { input, script = 'packages/service/bin/annotation-service.cjs' }: SpawnOptions,
): ChildProcess {
  const { ANNOTATION_SERVICE_TOKEN: _ours, ...inherited } = process.env
  const child = spawn(NODE_24, [resolve(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...inherited, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  // A command that refuses its flags does not read.
  child.stdin?.on('error', () => undefined).end(input)
  return child
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  return output
}

async function readyUrl(child: ChildProcess, output: { stdout: string; stderr: string }, ended: Promise<Ended>): Promise<string> {
  const giveUp = new AbortController()
  const ready = new Promise<string>((resolve) => {
    child.stdout?.on('data', () => {
      const line = /^annotation service \S+ ready at (http:\/\/\S+)\n/m.exec(output.stdout)
      if (line?.[1]) resolve(line[1])
    })
  })
  const outcome = await Promise.race([ready, ended, sleep(READY_MS_MAX, undefined, { signal: giveUp.signal })])
  giveUp.abort()
  if (typeof outcome === 'string') return outcome
  const how = outcome ? `ended with ${outcome.exitCode ?? outcome.signal}` : `was not ready within ${READY_MS_MAX} ms`
  throw new Error(`the service ${how}:\n${output.stdout}${output.stderr}`)
}

function parseLog(stderr: string): RequestLine[] {
  const complete = stderr.slice(0, stderr.lastIndexOf('\n') + 1).split('\n')
  return complete.flatMap((line) => {
    if (!line.startsWith('{')) return []
    const entry = JSON.parse(line) as RequestLine
    return entry.event === 'request' ? [entry] : []
  })
}
