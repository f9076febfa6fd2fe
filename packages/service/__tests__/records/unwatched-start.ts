/** A start of the service that nobody waits for, to be killed at some moment of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { NODE_24, TEST_TOKEN } from '../../../../__tests__/support/service.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/annotation-service.cjs')

/** @param more variables beside those of this process */
export function startUnwatched(dataDir: string, more: Readonly<Record<string, string>> = {}): ChildProcess {
  const env = { ...process.env, ANNOTATION_SERVICE_TOKEN: TEST_TOKEN, ...more }
  return spawn(NODE_24, [PROGRAM, '--port', '0', '--data', dataDir], { env, stdio: 'ignore' })
}

export async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
