/** How the texts of a mark tell what became of a release. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { jobResultOf } from '../src/job-result.ts'
import { isRollback, readResult } from '../src/release.ts'

test.each(
  JSON.parse(readFileSync(new URL('releases.json', import.meta.url), 'utf8')) as [description: string, result: string | null][],
)('%j says %s', (description, result) => {
  expect(readResult({ description }) ?? null).toBe(result)
})

test('a release whose one job succeeded and whose other failed has failed, in either order', () => {
  const lines = ['success after 3 min', 'failure after 4 min']
  expect(readResult({ description: lines.join('\n\n') })).toBe('failed')
  expect(readResult({ description: lines.reverse().join('\n\n') })).toBe('failed')
})

test('an open annotation runs, and one that has ended does not', () => {
  expect(readResult({ open: true })).toBe('running')
  expect(readResult({ description: 'In progress', endTime: '2026-01-31T12:00:00Z' })).toBeUndefined()
})

test('a rollback is known by its type or its title', () => {
  expect(isRollback({ type: 'rollback' })).toBe(true)
  expect(isRollback({ type: 'deploy', title: 'Roll back to 2.14.0' })).toBe(true)
  expect(isRollback({ type: 'deploy', title: 'Rolling updates' })).toBe(false)
})

test.each([
  ['success', 'succeeded'],
  ['failure', 'failed'],
  ['canceled', 'canceled'],
  ['skipped', undefined],
] as const)('a job whose result is %s is read back from its line as %s, whatever its CI calls it', (word, result) => {
  expect(jobResultOf(word)).toBe(word)
  expect(readResult({ description: `Deploys 1.2.3\n\n${word} after 3 min` })).toBe(result)
  expect(readResult({ description: `${word} (exit code 0) after 3 min` })).toBe(result)
})

test('a CI may write a result in any case and with any separators', () => {
  expect(jobResultOf('SucceededWithIssues')).toBe('success')
  expect(jobResultOf('Timed-out')).toBe('failure')
  expect(jobResultOf('finished')).toBeUndefined()
})
