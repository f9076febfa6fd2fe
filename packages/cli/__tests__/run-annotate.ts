/**
 * Runs the built command as a CI does: in an environment of its own, and in an empty folder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ANNOTATE = fileURLToPath(new URL('../lib/annotate.cjs', import.meta.url))
export const TOKEN = 'xapt-c0ffee00-1234-5678-9abc-def012345678'

export interface AnnotateRun {
  exitCode: number | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  /** What has come so far. */
  output: { stdout: string; stderr: string }
  ended: Promise<AnnotateRun>
}

export interface Options {
  env?: Readonly<Record<string, string>>
  cwd?: string
}

/** @param url of the service; '' leaves it to the environment */
export function startAnnotate(url: string, args: readonly string[], { env = {}, cwd = tmpdir() }: Options = {}): Running {
  const ours = { PATH: process.env.PATH ?? '', ANNOTATE_TOKEN: TOKEN, ANNOTATE_DATASETS: 'web', ANNOTATE_TYPE: 'deploy' }
  const service = { ANNOTATE_BASE_URL: url, ANNOTATE_TIMEOUT_SECONDS: '30' }
  const child = spawn(process.execPath, [ANNOTATE, ...args], {
    cwd,
    env: { ...ours, ...service, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = new Promise<AnnotateRun>((resolve) => child.once('close', (exitCode) => resolve({ exitCode, ...output })))
  return { child, output, ended }
}

export function annotate(url: string, args: readonly string[], options: Options = {}): Promise<AnnotateRun> {
  return startAnnotate(url, args, options).ended
}

/** A folder that goes with the test. */
export function makeFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'annotate-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
