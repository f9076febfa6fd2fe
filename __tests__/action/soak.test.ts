/**
 * Whole jobs of every kind in every weather: however inputs are written and whatever the network does, the step ends as it promises, there is
 * one annotation or none, no span stays open, and nobody reads a secret. A thousand of them by `npm run test:with -- long __tests__/action/soak`.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runs, tried } from '../support/long.ts'
import { runAction, runPost } from '../support/run-action.ts'
import { type Act, hangUp, raw, reset, type Script, startScriptedService } from '../support/scripted-service.ts'

const SECRET = 's0akT0ken'
const LOGIN = 'urlPassw0rd'
/** What passes, whether or not the request has taken effect. */
const PASSING: readonly Act[] = [
  { ...reset, commit: false },
  { ...reset, commit: true },
  { ...hangUp, commit: true },
  { ...raw('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"id"'), commit: true },
  { status: 503, headers: { 'retry-after': '0' } },
  { status: 500, commit: true },
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 200, body: '<html>Sign in</html>' },
]
const FINAL: readonly Act[] = [
  { status: 401, body: `{"message":"no token ${SECRET}"}` },
  { status: 403 },
  { status: 422, body: '{"message":"no"}' },
  { status: 301, headers: { location: `http://127.0.0.1:1/?t=${SECRET}` } },
]

const job = fc.record({
  token: fc.constantFrom(SECRET, `${SECRET}\r\n`, `\ufeff${SECRET}`, `"${SECRET}"`),
  datasets: fc.constantFrom('web', 'web, api', '["web","api"]', '- web\n- api', 'web;api # both'),
  type: fc.constantFrom('', 'deploy', 'feature/Login', 'Preview – shop'),
  title: fc.constantFrom('', 'v1', 'Fix cart (#12)\n\nlong story', 'x'.repeat(300), '::error::no', 'a\u202eb'),
  url: fc.constantFrom(
    '',
    'https://ci.example/1',
    'shop.example.com',
    `https://u:${LOGIN}@ci.example/1`,
    `https://x/${'y'.repeat(600)}`,
  ),
  time: fc.constantFrom('', '2026-11-26 17:50:16 +0100', 'Thu Nov 26 17:50:16 UTC 2026', '2026-11-26T17:50:16'),
  endTime: fc.constantFrom('', 'job-end'),
  onError: fc.constantFrom('fail', 'warn'),
})
const weather = fc.record({
  faults: fc.array(fc.constantFrom(...PASSING), { maxLength: 2 }),
  final: fc.option(fc.constantFrom(...FINAL), { freq: 5, nil: undefined }),
  status: fc.constantFrom('success', 'failure', 'cancelled'),
})

test('whole jobs end as they promise, with one annotation or none, no open span and no secret', async () => {
  const property = fc.asyncProperty(job, weather, async (inputs, { faults, final, status }) => {
    const script: Script = { POST: (count) => final ?? faults[count - 1] }
    await using service = await startScriptedService(script)
    const given = { ...inputs, baseUrl: service.url, timeoutSeconds: '9' }
    const main = await runAction(given)
    const post = await runPost(main, given, { job: { status, checkRunId: '9001' } })
    expect([main.outputs.outcome, main.exitCode]).toEqual(final ? ['failed', inputs.onError === 'warn' ? 0 : 1] : ['created', 0])
    expect(post.exitCode).toBe(0)
    expect(service.stored.map(({ id }) => id)).toEqual(final ? [] : [main.outputs.id])
    expect(service.stored.every(({ endTime }) => (endTime !== undefined) === (inputs.endTime === 'job-end'))).toBe(true)
    const masked = main.masks.concat(post.masks)
    const seen = [main, post].map(({ masks: _, stdout: __, ...rest }) => rest)
    const read = JSON.stringify([seen, service.stored])
    expect([read.includes(SECRET), read.includes(LOGIN), masked.includes(SECRET)]).toEqual([false, false, true])
  })
  await fc.assert(property, { numRuns: tried(runs(25, 1_000)) })
}, 900_000)
