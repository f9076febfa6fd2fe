/**
 * Every command of docs/ingest.md, run as it is written, by a shell: it answers what the page says, and the events are there.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { ask } from '../http.ts'

const blocks = [...readFileSync('docs/ingest.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)]
  .map(([, text = '']) => text)
  .filter((text) => text.includes('curl'))
const sending = blocks.filter((text) => /\/ingest\b/.test(text))

const service = serviceForTests()

/** @returns what a shell prints that stops at the first command that fails */
function run(commands: string): string {
  const env = { ...process.env, URL: service.url, TOKEN: service.token }
  const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', commands], { env, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

test('every block that sends events stores them, and answers as the page says', async () => {
  const ingested = sending.map((block) => {
    const stdout = run(block)
    const [, shown = ''] = /^# (\{.*\})$/m.exec(block) ?? []
    for (const part of shown.split('…')) expect(stdout).toContain(part)
    return [...stdout.matchAll(/"ingested":(\d+)/g)].map(([, count]) => Number(count))
  })
  expect(ingested).toEqual([[2], [2, 1], [2], [1]])
  const { body } = await ask<{ matches: { _time: string; data: object }[] }>(service, 'POST', '/v1/datasets/_apl?format=legacy', {
    body: {
      apl: "['web'] | where env == 'prod' | project _time, n, env | sort by n asc",
      startTime: '2026-11-20T00:00:00Z',
      endTime: '2026-11-21T00:00:00Z',
    },
  })
  expect(body.matches).toMatchObject([
    { _time: '2026-11-20T09:00:00Z', data: { n: 1, env: 'prod' } },
    { _time: '2026-11-20T09:00:01Z', data: { n: 2, env: 'prod' } },
  ])
})

test('the other blocks are answered without an error', () => {
  const others = blocks.filter((block) => !sending.includes(block))
  expect(others).toHaveLength(2)
  expect(run(others.join(''))).not.toMatch(/"code":|"error":/)
})
