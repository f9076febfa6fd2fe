/** The step `compare` where the service answers as the hosted one does, and where it fails. */
import { expect, test } from '@jest/globals'
import { runCompare } from '../support/run-action.ts'
import { type Act, startScriptedService } from '../support/scripted-service.ts'

const time = '2026-01-31T12:00:00Z'
const inputs = {
  token: 'xaat-1',
  time,
  queries: "errors: ['web'] | summarize f = countif(s > 499), n = count() by bin_auto(_time)",
}

/** Tables without `matches`, totals beside them, and members that ours do not have. */
function answer(failedAfter: number): Act {
  const minutes = Array.from({ length: 70 }, (_, at) => at - 60)
  const times = minutes.map((minute) => new Date(Date.parse(time) + minute * 60_000).toISOString().replace('.000', ''))
  const fields = [
    { name: '_time', type: 'datetime' },
    { name: 'f', type: 'integer', agg: { name: 'countif', fields: ['s'] } },
    { name: 'n', type: 'integer', agg: { name: 'count', fields: [] } },
  ]
  const failed = minutes.map((minute) => (minute >= 0 ? failedAfter : 2))
  const table = {
    sources: [{ name: 'web' }],
    order: [],
    groups: [],
    range: { field: '_time', start: times[0], end: times.at(-1) },
  }
  const body = {
    format: 'tabular',
    status: { elapsedTime: 1, rowsExamined: 1, rowsMatched: 1, isPartial: false, cacheStatus: 1, unknown: true },
    tables: [
      {
        ...table,
        name: '0',
        fields,
        buckets: { field: '_time', size: 60_000_000_000 },
        columns: [times, failed, minutes.map(() => 200)],
      },
      { ...table, name: '_totals', fields: fields.slice(1), columns: [[140], [14_000]] },
    ],
    datasetNames: ['web'],
    fieldsMetaMap: {},
  }
  return { status: 200, body: JSON.stringify(body) }
}

test.concurrent('asks one question with both windows for a query by time, and judges its answer', async () => {
  await using service = await startScriptedService({ POST: () => answer(6), GET: () => ({ status: 200, body: '[]' }) })
  const run = await runCompare({ ...inputs, season: 'none', baseUrl: service.url })
  expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: 'worse' } })
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
    [
      'POST',
      '/v1/datasets/_apl?format=tabular',
      'Bearer xaat-1',
      { apl: inputs.queries.slice('errors: '.length), startTime: '2026-01-31T11:00:00Z', endTime: '2026-01-31T12:10:00Z' },
    ],
    // For the values that may carry the change.
    ['GET', '/v2/datasets/web/fields', 'Bearer xaat-1', undefined],
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
