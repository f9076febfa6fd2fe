/** The step `compare` where the service answers as the hosted one does, and where it fails. */
import { expect, test } from '@jest/globals'
import { runCompare } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'
import { answerOf, QUERY, TIME } from './hosted-answer.ts'

const inputs = { token: 'xaat-1', time: TIME, queries: QUERY }

test.concurrent('asks one question with both windows for a query by time, and judges its answer', async () => {
  await using service = await startScriptedService({ POST: () => answerOf(6), GET: () => ({ status: 200, body: '[]' }) })
  const run = await runCompare({ ...inputs, seasons: 'none', baseUrl: service.url })
  expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: 'worse' } })
  expect(run.summary).not.toContain('](')
  const apl = inputs.queries.slice('errors: '.length)
  const question = (body: object) => ['POST', '/v1/datasets/_apl?format=tabular', 'Bearer xaat-1', body]
  expect(
    service.requests.map(({ method, path, headers, body }) => [
      method,
      path,
      headers.authorization,
      body === '' ? undefined : JSON.parse(body),
    ]),
  ).toEqual([
    [
      'GET',
      '/v2/annotations?start=2026-01-31T11%3A00%3A00Z&end=2026-01-31T12%3A10%3A00Z&datasets=web',
      'Bearer xaat-1',
      undefined,
    ],
    question({ apl, startTime: '2026-01-31T11:00:00Z', endTime: '2026-01-31T12:10:00Z' }),
    // For the values that may carry the change.
    ['GET', '/v2/datasets/web/fields', 'Bearer xaat-1', undefined],
    question({ apl: "['web']\n| where s > 499\n| summarize count()", startTime: TIME, endTime: '2026-01-31T12:10:00Z' }),
  ])
})

test.concurrent('a gate that cannot look does not open: the job fails, or goes on with a warning where that was said', async () => {
  await using service = await startScriptedService({ POST: () => ({ status: 503 }) })
  const failing = { ...inputs, baseUrl: service.url, timeoutSeconds: '2', failOn: 'worse' }
  const run = await runCompare({ ...failing, onOutage: 'warn' })
  expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: '', comparison: '' }, summary: '' })
  expect(run.warnings).toEqual([
    expect.stringMatching(/^Could not ask the query "errors": .*503.* Nothing was compared; the job goes on/),
  ])
  const gate = await runCompare(failing)
  expect(gate).toMatchObject({ exitCode: 1, errors: [expect.stringContaining('Could not ask the query "errors"')] })
  expect(gate.errors[0]).toMatch(/Nothing was compared, so the job fails; "onOutage: warn" lets it go on\.$/)
  const { failOn: _gate, ...looking } = failing
  expect(await runCompare(looking)).toMatchObject({ exitCode: 0, outputs: { verdict: '' } })
})

test.concurrent('an answer that lacks events, as with a full disk, is an outage, too', async () => {
  const status = { isPartial: true, messages: [{ code: 'missing_events', msg: 'the disk of the service is full' }] }
  const body = { format: 'tabular', status, tables: [], datasetNames: ['web'] }
  await using service = await startScriptedService({ POST: () => ({ status: 200, body: JSON.stringify(body) }) })
  const run = await runCompare({ ...inputs, baseUrl: service.url, failOn: 'worse', onOutage: 'warn' })
  expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: '' } })
  expect(run.warnings).toEqual([
    expect.stringMatching(/^The query “errors” may .* the disk of the service is full\. .* the job goes on/),
  ])
  const strict = await runCompare({ ...inputs, baseUrl: service.url, onOutage: 'fail' })
  expect(strict).toMatchObject({ exitCode: 1, errors: [expect.stringContaining('the disk of the service is full')] })
})

test.concurrent('an annotation that is not there fails the job', async () => {
  await using service = await startScriptedService()
  const { time: _left, ...rest } = inputs
  const run = await runCompare({ ...rest, id: 'ann_x', baseUrl: service.url })
  expect(run.errors).toEqual([expect.stringMatching(/^Could not read the annotation: GET .* answered 404: .*Check "id"/)])
})

test.concurrent('texts of the service are no commands of the log', async () => {
  await using service = await startScriptedService({
    POST: () => ({ status: 400, body: JSON.stringify({ code: 400, message: 'bad\n::set-output name=x::y ##[error]z' }) }),
  })
  const run = await runCompare({ ...inputs, baseUrl: service.url })
  expect(run.exitCode).toBe(1)
  expect(
    run.stdout
      .split('\n')
      .filter((line) => line.startsWith('::'))
      .map((line) => line.split(/[ :]/)[2]),
  ).toEqual(['add-mask', 'error'])
  expect(run.stdout).not.toContain('##[')
})
