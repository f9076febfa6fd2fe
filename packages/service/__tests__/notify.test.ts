/**
 * What systemd is told, by a command in the place of its own.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { folderForTests } from '../../../__tests__/support/for-tests.ts'
import { startService } from '../../../__tests__/support/service.ts'

const folder = folderForTests('notified')

test('systemd is told that the service is ready, alive, and about to end', async () => {
  const [command, told] = [join(folder, 'systemd-notify'), join(folder, 'told')]
  writeFileSync(command, `#!/bin/sh\necho "$1" >> ${told}\n`)
  chmodSync(command, 0o755)
  writeFileSync(told, '')
  const env = { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: join(folder, 'socket'), WATCHDOG_USEC: '600000' }
  await using service = await startService({ env })
  while (!readFileSync(told, 'utf8').includes('WATCHDOG=1')) await sleep(50)
  await service.stop()
  const lines = readFileSync(told, 'utf8').trim().split('\n')
  expect(lines[0]).toBe('--ready')
  expect(lines).toContain('STOPPING=1')
})
