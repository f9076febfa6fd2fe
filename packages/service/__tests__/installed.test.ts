/**
 * The command as it is installed: on a Node that is too old, without the embedded engine, and started by npm. What needs a
 * registry (tarballs, clean folders, real old Nodes) is in `.ci/packages`.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../../../__tests__/support/for-tests.ts'
import { NODE_24, runServiceCommand, startService } from '../../../__tests__/support/service.ts'
import { VERSION } from '../src/version.ts'

const PACKAGE = 'packages/service'
const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))

const parent = folderForTests('annotation-installed')

/** The package and nothing that is installed beside it. */
function copyPackage(name: string): string {
  const folder = join(parent, name)
  for (const part of ['bin', 'lib', 'public', 'package.json']) {
    cpSync(join(PACKAGE, part), join(folder, part), { recursive: true })
  }
  return folder
}

interface Ran {
  exitCode: number | null
  stdout: string
  stderr: string
}

async function run(script: string, args: readonly string[]): Promise<Ran> {
  const child = spawn(NODE_24, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ran: Ran = { exitCode: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (ran.stdout += chunk))
  child.stderr.on('data', (chunk) => (ran.stderr += chunk))
  ran.exitCode = await new Promise((resolve) => child.once('close', resolve))
  return ran
}

const COMMAND = 'bin/annotation-service.cjs'

test('--version is the version of the package and of the records', async () => {
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+\+records\.\d+$/)
  expect(await runServiceCommand(['--version'])).toEqual({ exitCode: 0, stdout: `${VERSION}\n`, stderr: '' })
})

test('a Node that is too old is told in one line, and nothing is loaded', async () => {
  const folder = join(parent, 'old-node')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(join(PACKAGE, COMMAND), join(folder, COMMAND))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, engines: { node: '>=99.5' } }))
  const version = (await run('-p', ['process.versions.node'])).stdout.trim()
  expect(await run(join(folder, COMMAND), ['--help'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: annotation-service needs Node 99.5 or newer, and this is Node ${version}\n`,
  })
})

test('without the embedded engine the service says in one line what to install', async () => {
  const folder = copyPackage('without-engine')
  const { exitCode, stdout, stderr } = await run(join(folder, COMMAND), ['--port', '0', '--data', join(folder, 'data')])
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'error: the embedded engine, the package chdb, is not installed: npm install chdb, or use a ClickHouse server with --clickhouse\n',
  })
})

test('an embedded engine without its binary for this machine says so in one line', async () => {
  const folder = copyPackage('without-binary')
  // A copy, because a link would find the binary beside what it leads to.
  cpSync('node_modules/chdb', join(folder, 'node_modules/chdb'), { recursive: true })
  const { exitCode, stderr } = await run(join(folder, COMMAND), ['--port', '0', '--data', join(folder, 'data')])
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^error: the embedded engine, the package chdb, cannot be loaded \(.*no native binding.*\): .*\n$/)
})

test('without the embedded engine the service looks for its ClickHouse server', async () => {
  const folder = copyPackage('server-only')
  await using service = await startService({
    script: join(folder, COMMAND),
    args: ['--clickhouse', 'http://127.0.0.1:1/db'],
  })
  expect(service.stderr).toContain('the ClickHouse server at 127.0.0.1:1 cannot be reached')
})

test('a SIGTERM to npm ends the service that npm started, and frees its port and data', async () => {
  const dataDir = join(parent, 'npm')
  const env = {
    ...process.env,
    PATH: `${dirname(NODE_24)}:${process.env.PATH}`,
    ANNOTATION_SERVICE_TOKEN: 'a-token-of-this-test',
  }
  const npm = spawn('npm', ['run', '--silent', 'service', '--', '--port', '0', '--data', dataDir], { env })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const npmEnded = new Promise((resolve) => npm.once('exit', resolve))
  while (!/ready at \S+\n/.test(output)) await sleep(20)
  const url = /ready at (\S+)\n/.exec(output)?.[1] as string
  expect((await fetch(`${url}/healthz`)).status).toBe(200)

  npm.kill('SIGTERM')
  await npmEnded
  const isUp = () => fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) }).then(Boolean, () => false)
  for (let looks = 0; looks < 50 && (await isUp()); looks++) await sleep(100)
  expect(await isUp()).toBe(false)

  // It may still be closing its store.
  for (let looks = 0; looks < 50 && isInUse(dataDir); looks++) await sleep(100)
  await using next = await startService({ dataDir })
  expect((await fetch(`${next.url}/healthz`)).status).toBe(200)
})

/** The embedded engine keeps this file while it has the directory open. */
function isInUse(dataDir: string): boolean {
  return readdirSync(join(dataDir, 'engine')).includes('status')
}

test('docs/service.md names every flag that --help prints', async () => {
  const { stdout } = await runServiceCommand(['--help'])
  const flags = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map((match) => match[1])
  const table = /<!-- flags -->([\s\S]*)<!-- \/flags -->/.exec(readFileSync('docs/service.md', 'utf8'))?.[1] ?? ''
  expect([...table.matchAll(/^\| `(--[a-z-]+)/gm)].map((match) => match[1])).toEqual(flags)
})
