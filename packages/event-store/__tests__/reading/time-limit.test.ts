/** The limit of time holds where the engine cannot be interrupted: in one call of a function. */
import { expect, test } from '@jest/globals'
import { readerForTests } from './test-reader.ts'

const { reader } = readerForTests({ memoryBytesMax: 300 * 1_048_576, msMax: 300 })

const { signal } = new AbortController()

/** One call for one row, which takes more than two seconds and little memory. */
const STUBBORN = `SELECT editDistance(repeat('ab', 21000), repeat('ba', 21000 + number)) FROM numbers(1)`

const running = () => Object.values(reader.load()).reduce((sum, load) => sum + load.running, 0)

test('a caller is answered at the limit, and the statement keeps its slot until the engine has ended it', async () => {
  const fromMs = performance.now()
  await expect(reader.read({ sql: STUBBORN, params: {} }, signal)).rejects.toMatchObject({ code: 'query_timeout' })
  expect(performance.now() - fromMs).toBeLessThan(3_500)
  expect(running()).toBe(1)
  // Others are answered meanwhile.
  await using other = await reader.read({ sql: 'SELECT 1', params: {} }, signal)
  expect(await other.first()).toContain('1')
  while (running() > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  await using after = await reader.read({ sql: 'SELECT 2', params: {} }, signal)
  expect(await after.first()).toContain('2')
})
