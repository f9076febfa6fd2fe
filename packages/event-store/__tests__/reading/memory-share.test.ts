import { totalmem } from 'node:os'
import { expect, test } from '@jest/globals'
import { QUERIES_AT_ONCE } from '../../../runtime/src/concurrency/bounds.ts'
import { memoryShare } from '../../src/engine/engine-memory.ts'

test('all queries that may run at a time have half of the memory together, and each some MiB', () => {
  const MIB = 1_048_576
  expect(memoryShare() % MIB).toBe(0)
  expect(memoryShare()).toBeGreaterThanOrEqual(64 * MIB)
  expect(memoryShare()).toBeLessThanOrEqual(Math.max(totalmem() / 2 / QUERIES_AT_ONCE, 64 * MIB))
})
