/**
 * `npm start` as a newcomer runs it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { readNodePath } from '../../scripts/runner.ts'
import { folderForTests } from '../support/for-tests.ts'
import { until } from '../support/until.ts'

const data = folderForTests('quickstart')

function start(...flags: string[]): { child: ChildProcess; output: () => string; exitCode: Promise<number | null> } {
  const child = spawn(readNodePath(), ['scripts/quickstart/quickstart.ts', '--data', data, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { child, output: () => output, exitCode: new Promise((resolve) => child.on('close', resolve)) }
}

test('one command shows the step at work, and a second run shows one annotation more', async () => {
  for (const count of [1, 2]) {
    const { output, exitCode } = start()
    expect([await exitCode, output()]).toEqual([0, expect.any(String)])
    const id = /^id: (ann_\w+)$/m.exec(output())?.[1]
    expect(output()).toMatch(/Created the annotation production-deploy "Payments 2\.7\.0" on payments/)
    expect(output()).toMatch(/Closed the release span/)
    expect(output()).toContain(`Annotations in the service: ${count}, the latest last:`)
    expect(JSON.parse(output().slice(output().indexOf('\n{')))).toMatchObject({
      id,
      title: 'Payments 2.7.0',
      endTime: expect.any(String),
    })
    expect(output()).not.toMatch(/::add-mask::|made-up/)
  }
})

test('--keep leaves the service up with a shop that keeps sending, and ends with Ctrl-C; meanwhile its data folder is in use', async () => {
  const { child, output, exitCode } = start('--keep')
  while (!output().includes('Try: curl')) await new Promise((resolve) => setTimeout(resolve, 50))
  const [, token, url] = /Bearer (\S+)' (\S+)/.exec(output()) ?? []
  const ask = async (path: string) => {
    const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } })
    return (await answer.json()) as object
  }
  expect(await ask('/v2/annotations')).toMatchObject([{}, { title: 'Shop 1.42.0' }, {}, {}, { title: 'Payments 2.7.0' }])
  const countEvents = async () => ((await ask('/v1/datasets/shop/info')) as { numEvents: number }).numEvents
  const first = await countEvents()
  await until('it sends more', async () => (await countEvents()) > first)
  const second = start()
  expect([await second.exitCode, second.output()]).toEqual([1, expect.stringMatching(/in use/)])
  child.kill('SIGINT')
  expect(await exitCode).toBe(0)
  await expect(fetch(url ?? '')).rejects.toThrow()
})

test('a signal while it works ends the service too, so that the next start has the data folder', async () => {
  const { child, output, exitCode } = start()
  while (!output().includes('Service:')) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGTERM')
  expect(await exitCode).toBe(1)
  await expect(fetch(/http:\S+(?=,)/.exec(output())?.[0] ?? '')).rejects.toThrow()
})
