/**
 * `--supervise`: the real command, whose service is killed as a crash of the engine ends it.
 */
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../../../__tests__/support/for-tests.ts'
import { startService } from '../../../__tests__/support/service.ts'
import { ask, created, list } from './http.ts'

/** The process that serves, whose parent is the supervisor. */
function servingPid(supervisor: number): number {
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim().split(' ').map(Number)
  const [child] = children.filter((pid) => /node/.test(readlinkSync(`/proc/${pid}/exe`)))
  if (!child) throw new Error(`process ${supervisor} has no child`)
  return child
}

async function whenAnswering(service: { url: string; token: string }): Promise<void> {
  for (;;) {
    const health = await ask(service, 'GET', '/healthz').catch(() => undefined)
    if (health?.status === 200) return
    await sleep(50)
  }
}

test('a service that crashes is there again at the same port, with all that it acknowledged', async () => {
  await using service = await startService({ args: ['--supervise'] })
  const ids: string[] = []
  for (const signal of ['SIGSEGV', 'SIGABRT', 'SIGKILL'] as const) {
    ids.push((await created(service)).id)
    const pid = servingPid(service.pid)
    process.kill(pid, signal)
    await whenAnswering(service)
    expect(servingPid(service.pid)).not.toBe(pid)
  }
  expect((await list(service)).body.map(({ id }) => id).sort()).toEqual(ids.sort())
  expect(service.stderr.match(/"event":"restart"/g)).toHaveLength(3)
  expect(await service.stop()).toEqual({ exitCode: 0, signal: null })
})

const folder = folderForTests('hang')
/** Longer than a service may be silent. */
const SILENT_MS = 13_000

test('a service that hangs is ended and started again; one that was stopped together with its supervisor is not', async () => {
  const hang = join(folder, 'hang.cjs')
  writeFileSync(hang, `process.on('SIGUSR2', () => { for (;;); })`)
  await using service = await startService({ args: ['--supervise'], env: { NODE_OPTIONS: `--require ${hang}` } })
  const { id } = await created(service)
  const pid = servingPid(service.pid)
  const both = [pid, service.pid]
  for (const one of both) process.kill(one, 'SIGSTOP')
  await sleep(SILENT_MS)
  // The supervisor notices first that time has passed.
  for (const one of both.toReversed()) {
    process.kill(one, 'SIGCONT')
    await sleep(3_000)
  }
  expect(servingPid(service.pid)).toBe(pid)

  process.kill(pid, 'SIGUSR2')
  while (!service.stderr.includes('"event":"restart"')) await sleep(100)
  await whenAnswering(service)
  expect(servingPid(service.pid)).not.toBe(pid)
  expect((await list(service)).body.map((one) => one.id)).toEqual([id])
  expect(service.stderr).toMatch(/"event":"hung"[\s\S]*"event":"restart".*"exit":"SIGKILL"/)
}, 90_000)

test('a supervisor that is killed takes its service with it', async () => {
  await using service = await startService({ args: ['--supervise'] })
  const pid = servingPid(service.pid)
  await service.kill()
  const isRunning = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  while (isRunning()) await sleep(20)
})

test('what cannot start is not tried again', async () => {
  await using first = await startService()
  const port = Number(new URL(first.url).port)
  await expect(startService({ port, args: ['--supervise'] })).rejects.toThrow(/ended with 1:[\s\S]*the port is in use/)
})
