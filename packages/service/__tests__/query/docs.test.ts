/**
 * Every command of docs/query.md, run as it is written, by a shell.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { startService } from '../../../../__tests__/support/service.ts'

const commands = [...readFileSync('docs/query.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)]
  .map(([, text = '']) => text)
  .filter((text) => !text.startsWith('npm run service'))

test('every command of docs/query.md answers', async () => {
  await using service = await startService()
  const env = { ...process.env, URL: service.url, TOKEN: service.token }
  const answers = commands.map((command) => execFileSync('bash', ['-c', command], { env, encoding: 'utf8' }))
  expect(answers.length).toBe(8)
  const bodies = answers.flatMap((answer) => answer.trim().split('\n')).map((line) => JSON.parse(line))
  expect(bodies.filter(({ code }) => code !== undefined)).toEqual([])
  const [ingested, rows, table, legacyFormat, page, buckets, virtualField, ...walk] = bodies
  expect(ingested.ingested).toBe(3)
  expect(rows.matches.length).toBe(1)
  expect(table.tables.length).toBe(2)
  expect(legacyFormat.matches.map(({ data }: { data: { path: string } }) => data.path)).toEqual(['/b'])
  expect(virtualField).toMatchObject({ dataset: 'web', name: 'failed' })
  expect(page.matches.length).toBe(2)
  expect(buckets.buckets.totals.length).toBe(2)
  expect(walk.map(({ matches }) => matches.length)).toEqual([2, 1])
})
