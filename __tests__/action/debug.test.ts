/**
 * What the steps tell besides where the runner is in debug mode.
 */
import { expect, test } from '@jest/globals'
import { startProxy } from '../support/proxy.ts'
import { type ActionRun, runAction, runCompare, runPost } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const TOKEN = 'xaat-0123456789abcdef'
const DEBUG = { RUNNER_DEBUG: '1' }

/** @returns the lines of the one group, and that there is nothing of it elsewhere */
function readGroup({ stdout }: ActionRun): string[] {
  const [before = '', group = '', after = ''] = stdout.split(/::group::.*\n|::endgroup::\n/)
  expect(before + after).not.toContain('::debug::')
  expect(stdout.replaceAll(`::add-mask::${TOKEN}`, '')).not.toContain(TOKEN)
  const lines = group.trimEnd().split('\n')
  expect(lines.filter((line) => !line.startsWith('::debug::'))).toEqual([])
  return lines.map((line) => line.slice('::debug::'.length).replaceAll('%25', '%'))
}

test('the main step tells its inputs, the way, each try and what it saved; the post step what it was left', async () => {
  const trace = { 'x-axiom-trace-id': 'trace-7' }
  await using service = await startScriptedService({
    POST: (count) => (count === 1 ? { status: 503, headers: { 'x-axiom-trace-id': TOKEN } } : { commit: true, headers: trace }),
  })
  const inputs = {
    axiomToken: TOKEN,
    axiomUrl: service.url,
    githubToken: 'ghs_secret',
    datasets: 'web',
    type: 'deploy',
    title: `50 % of ${TOKEN}\n::error::x`,
    url: 'https://bob:hunter2@shop.example',
    description: 'd'.repeat(900),
    endTime: 'job-end',
  }
  const run = await runAction(inputs, { env: { ...DEBUG, GITHUB_SHA: '' } })
  expect(run).toMatchObject({ exitCode: 0, errors: [], outputs: { outcome: 'created' } })
  const told = readGroup(run)
  expect(told).toEqual(
    expect.arrayContaining([
      'input "token": *** (workflow, as "axiomToken")',
      `input "baseUrl": "${service.url}" (workflow, as "axiomUrl")`,
      'input "githubToken": *** (workflow)',
      'input "datasets": "web" (workflow)',
      'input "onOutage": "warn" (default)',
      'input "time": none',
      'input "title": "50 % of *** ::error::x" (workflow)',
      'input "url": "***@shop.example" (workflow)',
      'no proxy: neither https_proxy nor http_proxy names one',
      expect.stringMatching(/^POST http:\S+\/v2\/annotations: 503 in \d+ ms, request id \*\*\*$/),
      expect.stringMatching(/^GET http:\S+ after a pause of \d+ ms: 200 in \d+ ms$/),
      expect.stringMatching(/^POST http:\S+\/v2\/annotations after a pause of \d+ ms: 201 in \d+ ms, request id trace-7$/),
      expect.stringMatching(/^saved for the post step: intent = \{"annotation":.*"isSpan":true/),
      'saved for the post step: id = ann_1',
    ]),
  )
  expect(Math.max(...told.map((line) => line.length))).toBeLessThan(2_100)
  expect(run.stdout).not.toMatch(/hunter2|ghs_secret(?!\n)/)

  const post = readGroup(await runPost(run, { ...inputs, result: 'success' }, { env: DEBUG }))
  expect(post).toEqual(
    expect.arrayContaining([
      'left by the main step: id = ann_1',
      expect.stringMatching(/^PUT http:\S+\/ann_1 after .*: 200 in \d+ ms/),
    ]),
  )
})

test('without debug mode nothing of it is told', async () => {
  await using service = await startScriptedService()
  const run = await runAction({ token: TOKEN, datasets: 'web', type: 'deploy', baseUrl: service.url })
  expect(run.stdout).not.toMatch(/::debug::|::group::/)
})

test('the proxy and its variable are told, or which variable leaves the service out, and why nothing came back', async () => {
  await using proxy = await startProxy(502)
  const { host } = new URL(proxy.url)
  const inputs = { token: TOKEN, datasets: 'web', type: 'deploy', timeoutSeconds: '1', baseUrl: 'http://127.0.0.1:1' }
  const http_proxy = `http://bob:hunter2@${host}`
  const through = readGroup(await runAction(inputs, { env: { ...DEBUG, http_proxy } }))
  expect(through).toContain(`through the proxy ***@${host}, which http_proxy names`)
  expect(through).toContainEqual(expect.stringMatching(/: no whole reply in \d+ ms, WireError: Proxy response \(502\)/))
  const past = readGroup(await runAction(inputs, { env: { ...DEBUG, http_proxy, NO_PROXY: '127.0.0.0/8' } }))
  expect(past).toContain('no proxy: NO_PROXY leaves out 127.0.0.1:1')
  const compared = await runCompare({ token: TOKEN, id: 'ann_1', timeoutSeconds: '1', baseUrl: inputs.baseUrl }, { env: DEBUG })
  expect(readGroup(compared)).toEqual(
    expect.arrayContaining(['input "id": "ann_1" (workflow)', expect.stringMatching(/^GET http:\S+\/ann_1.* ECONNREFUSED/)]),
  )
})

test('a step that is canceled tells what it did', async () => {
  await using service = await startScriptedService({ POST: () => ({ socket: () => cancel.abort() }) })
  const cancel = new AbortController()
  const inputs = { token: TOKEN, datasets: 'web', type: 'deploy', baseUrl: service.url }
  const run = await runAction(inputs, { env: DEBUG, signal: cancel.signal })
  expect(run.exitCode).toBeNull()
  expect(readGroup(run)).toContain('input "datasets": "web" (workflow)')
})
