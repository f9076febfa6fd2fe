/**
 * A group of processes that may use so much memory and no more, as in a container: a control group of Linux, which root may make.
 * Where none can be made, the tests that need one say that they are skipped.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testIf } from './test-if.ts'

export interface MemoryGroup extends Disposable {
  /** Of `startService`: the service joins the group before it does anything else. */
  readonly start: { script: string; env: Record<string, string> }
}

/** The first version has a folder for memory; in the second it is one of several things that all groups may limit. */
const [ROOT, LIMIT] = existsSync('/sys/fs/cgroup/memory')
  ? ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes']
  : ['/sys/fs/cgroup', 'memory.max']

/** @throws Error where none can be made */
export function makeMemoryGroup(mib: number): MemoryGroup {
  const path = join(ROOT, `annotation-service-test-${process.pid}-${mib}`)
  mkdirSync(path)
  try {
    writeFileSync(join(path, LIMIT), String(mib * 1_048_576))
  } catch (error) {
    rmdirSync(path)
    throw error
  }
  return {
    start: { script: 'packages/service/__tests__/join-memory-group.cjs', env: { MEMORY_GROUP: join(path, 'cgroup.procs') } },
    [Symbol.dispose]: () => rmdirSync(path),
  }
}

export const testInMemoryGroup = testIf(() => makeMemoryGroup(1), 'no control group can be made here')
