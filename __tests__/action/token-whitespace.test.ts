/**
 * A token with whitespace at its ends, as a secret that was pasted or made by `echo` has: both steps and the command leave it out,
 * and say so once.
 */
import { expect, test } from '@jest/globals'
import { annotate } from '../../packages/cli/__tests__/run-annotate.ts'
import { sharedByTests } from '../support/for-tests.ts'
import { runAction, runCompare, runPost } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const TOKEN = 'xaat-0123456789abcdef'
const LEFT_OUT = 'has whitespace at its ends, which was left out'
const ENDS = [`${TOKEN}\n`, `${TOKEN}\r\n`, `${TOKEN}\r`, `\ufeff${TOKEN}`, ` ${TOKEN}\t`, `\n${TOKEN}\u00a0\n`]

const service = sharedByTests(startScriptedService, (one) => one.close())

const lastToken = () => service.requests.at(-1)?.headers.authorization

test.each(ENDS)('the steps send the token %j without it, and mask both', async (token) => {
  const inputs = { token, datasets: 'web', type: 'deploy', endTime: 'job-end', baseUrl: service.url }
  const run = await runAction(inputs)
  expect(run).toMatchObject({ exitCode: 0, errors: [], outputs: { outcome: 'created' } })
  expect(run.warnings).toEqual([expect.stringContaining(`input "token" ${LEFT_OUT}`)])
  expect(run.masks).toEqual(expect.arrayContaining([token, TOKEN]))
  expect(lastToken()).toBe(`Bearer ${TOKEN}`)
  expect(await runPost(run, inputs)).toMatchObject({ exitCode: 0, errors: [], warnings: [] })
  const compared = await runCompare({ token, id: run.outputs.id ?? '', baseUrl: service.url, timeoutSeconds: '2' })
  expect(compared.warnings.filter((warning) => warning.includes('token'))).toEqual([expect.stringContaining(LEFT_OUT)])
  expect(compared.masks).toEqual(expect.arrayContaining([token, TOKEN]))
  expect(lastToken()).toBe(`Bearer ${TOKEN}`)
})

test.each(ENDS)('the command sends the token %j without it', async (token) => {
  for (const args of [['mark'], ['list'], ['run', '--', 'true']]) {
    const run = await annotate(service.url, args, { env: { ANNOTATE_TOKEN: token } })
    expect(run.exitCode).toBe(0)
    expect(run.stderr.split('\n').filter((line) => line.includes(LEFT_OUT))).toEqual([
      `warning: --token ${LEFT_OUT}: store the secret again`,
    ])
    expect(lastToken()).toBe(`Bearer ${TOKEN}`)
  }
})

test.each(['\n', ' ', '\ufeff'])('a token that is %j is none', async (token) => {
  const before = service.requests.length
  const inputs = { token, datasets: 'web', type: 'deploy', baseUrl: service.url }
  const skipped = await runAction({ ...inputs, ifNoToken: 'skip' })
  expect(skipped).toMatchObject({ exitCode: 0, warnings: [], errors: [], outputs: { outcome: 'skipped' } })
  expect((await runAction(inputs)).errors).toEqual([expect.stringContaining('input "token": the token is empty')])
  expect(service.requests).toHaveLength(before)
})
