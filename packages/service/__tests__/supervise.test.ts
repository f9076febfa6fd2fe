/**
 * `--supervise`: the real command, whose service is killed as a crash of the engine ends it.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { expect, test } from '@jest/globals'
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
    await new Promise((resolve) => setTimeout(resolve, 50))
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
  while (isRunning()) await new Promise((resolve) => setTimeout(resolve, 20))
})

test('what cannot start is not tried again', async () => {
  await using first = await startService()
  const port = Number(new URL(first.url).port)
  await expect(startService({ port, args: ['--supervise'] })).rejects.toThrow(/ended with 1:[\s\S]*the port is in use/)
})
