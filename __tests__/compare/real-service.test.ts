/**
 * The built step `compare` against the real service with real events, as a runner runs it.
 */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { beforeAll, expect, test } from '@jest/globals'
import { clientForTests } from '../support/client.ts'
import { serviceForTests } from '../support/for-tests.ts'
import { runCompare } from '../support/run-action.ts'
import { ERRORS, LATENCY, storeTraffic } from '../support/traffic.ts'

/** A minute sharp, so that buckets and windows have the same edges; long enough ago that nothing is waited for. */
const atMs = Math.floor(Date.now() / UNIT_MS.m) * UNIT_MS.m - 30 * UNIT_MS.m
const time = new Date(atMs).toISOString()

const service = serviceForTests()
const client = clientForTests(service)
let basics: Record<string, string>
beforeAll(async () => {
  basics = { token: service.token, baseUrl: service.url, time }
  await Promise.all([
    storeTraffic(client, { dataset: 'harmless', atMs, failing: [0.01, 0.01] }),
    storeTraffic(client, { dataset: 'harmful', atMs, failing: [0.01, 0.03], slower: 1.5 }),
    storeTraffic(client, { dataset: 'rare', atMs, failing: [0.5, 0.5], minutes: [30, 1], requestsPerMinute: 3 }),
  ])
})

test('of a deployment that changed nothing, the step cannot tell, with the changes that are left, and nothing fails', async () => {
  const run = await runCompare({ ...basics, queries: `${ERRORS('harmless')}\n${LATENCY('harmless')}`, failOn: 'worse' })
  expect(run).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs: { verdict: 'inconclusive' } })
  expect(run.log[0]).toMatch(/ UTC: Cannot tell: \d+ errors are too few to be sure$/)
  expect(run.log[1]).toMatch(/^cannot tell {2}errors .* too few to be sure$/)
})

test('errors tripled around an annotation fail the job with what to know at night', async () => {
  const { id } = await client.annotations.create({ datasets: ['harmful'], type: 'deploy', title: 'v1.2', time })
  const { time: _left, ...rest } = basics
  const run = await runCompare({ ...rest, id, queries: ERRORS('harmful'), failOn: 'worse' })
  expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'worse' } })
  expect(run.errors).toEqual([
    expect.stringMatching(
      /^v1\.2: Errors tripled: \S+ → \S+ %\. 10 min after \d\d:\d\d UTC, against 1 h before\. The job fails because of "failOn": errors is "worse"\.$/,
    ),
  ])
  const [, count, link = ''] = /\. \[See the (\d+) failing requests\]\(<(\S+)>\) · \[charts\]\(<\S+>\)$/m.exec(run.summary) ?? []
  const { apl = '', startTime = '', endTime = '' } = Object.fromEntries(new URL(link).searchParams)
  expect((await client.query(apl, { startTime, endTime })).status.rowsMatched).toBe(Number(count))
})

test('the summary has the sentence and a table with the change and a chart, and the output has the same as JSON', async () => {
  const run = await runCompare({ ...basics, queries: `${ERRORS('harmful')}\n${LATENCY('harmful')}` })
  expect(run.summary).toMatch(
    /^### 🔴 \S+ \S+ UTC: Errors tripled: \S+ → \S+ %\n\nLatency rose by \d\d %: .* ms\. 10 min after \d\d:\d\d UTC, against 1 h before\.\n\n\| \| before \|/,
  )
  expect(run.summary).toMatch(
    /^\| \*\*errors\*\* \| \S+ % \| \*\*\S+ %\*\* \| \*\*×\S+ to ×\S+\*\* \| `[▁▂▃▄▅▆▇█]{20}│[▁▂▃▄▅▆▇█]{4}` \|$/m,
  )
  expect(run.summary).toMatch(/By chance alone: errors less than 1 in 10,000, latency/)
  expect(JSON.parse(run.outputs.comparison ?? '')).toMatchObject({
    verdict: 'worse',
    windows: { after: { startTime: time.replace('.000', '') } },
    series: [
      {
        name: 'errors',
        kind: 'share',
        verdict: 'worse',
        before: expect.closeTo(0.01, 2),
        after: expect.closeTo(0.03, 2),
      },
      { name: 'latency', kind: 'measurement', verdict: 'worse' },
    ],
  })
})

test('a service that is gone is no better for it: the gate stops, at once and after a minute', async () => {
  for (const minutesAfter of [0, 1]) {
    const dataset = `gone-${minutesAfter}`
    await storeTraffic(client, { dataset, atMs, failing: [0.01, 0.01], minutes: [60, minutesAfter] })
    const all = `all: ['${dataset}'] | summarize count() by bin(_time, 1m)`
    const run = await runCompare({ ...basics, queries: [ERRORS(dataset), LATENCY(dataset), all].join('\n'), failOn: 'worse' })
    expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'gone' } })
    expect(run.errors[0]).toMatch(/: All stopped: 200\/min → nothing\. .* because of "failOn": .*latency is "gone"/)
    expect(run.errors[0]).not.toMatch(/→ 0/)
  }
})

test('without queries, traffic, errors and latencies of the annotation’s datasets are looked at, and the neighbor is named', async () => {
  const { id } = await client.annotations.create({ datasets: ['harmful'], type: 'deploy', title: 'web 2.15.0', time })
  const near = new Date(atMs - 3 * UNIT_MS.m).toISOString()
  const neighbor = await client.annotations.create({ datasets: ['harmful'], type: 'deploy', title: 'api 7.3.2', time: near })
  const { time: _left, ...rest } = basics
  const run = await runCompare({ ...rest, id, failOn: 'worse' })
  expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'worse' } })
  expect(run.stdout).toMatch(
    /Looking at harmful errors: \['harmful'\] \| where status between \(100 \.\. 599\) \| summarize failed = /,
  )
  expect(run.errors[0]).toMatch(/^web 2\.15\.0: Errors tripled: 1\.\d+ → 3\.\d+ %/)
  expect(run.stdout).toMatch(/^p95 rose by \d+ %: \d+ → \d+ ms\. “api 7\.3\.2”, .* may be the cause, too\.$/m)
  await client.annotations.delete(neighbor.id)
})

test('the values that carry a change are named', async () => {
  await client.ingest(
    'carried',
    Array.from({ length: 7_000 }, (_, at) => {
      const offsetMs = (at - 6_000) * 600
      const isNew = offsetMs >= 0 && at % 2 === 0
      const isCheckout = at % 3 === 0
      return {
        _time: new Date(atMs + offsetMs).toISOString(),
        version: isNew ? '2.15.0' : '2.14.1',
        route: isCheckout ? '/checkout' : '/cart',
        region: at % 7 < 3 ? 'eu' : 'us',
        status: at % 100 === 1 || (isNew && isCheckout && at % 4 === 0) ? 500 : 200,
      }
    }),
  )
  const run = await runCompare({ ...basics, queries: ERRORS('carried') })
  // Without failOn the job goes on.
  expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: 'worse' } })
  expect(run.warnings[0]).toMatch(/: Errors rose \S+-fold: \S+ → \S+ %, nearly all on \/checkout$/)
  expect(run.warnings[0]).not.toContain('region')
})

test('a canary is compared with the stable version that runs beside it', async () => {
  const slow = { atMs, failing: [0.01, 0.03] as const }
  await storeTraffic(client, { ...slow, dataset: 'canary' })
  await storeTraffic(client, { ...slow, dataset: 'stable' })
  const baseline = "['stable']"
  expect((await runCompare({ ...basics, queries: ERRORS('canary') })).outputs.verdict).toBe('worse')
  expect((await runCompare({ ...basics, queries: ERRORS('canary'), baseline })).outputs.verdict).not.toBe('worse')
  expect((await runCompare({ ...basics, queries: ERRORS('canary'), baseline: "['harmless']" })).outputs.verdict).toBe('worse')
})

test('a query that is not grouped by time is asked for each window', async () => {
  const queries = ERRORS('harmful').replace(' by bin(_time, 1m)', '')
  expect((await runCompare({ ...basics, queries })).outputs.verdict).toBe('worse')
  const mean = await runCompare({ ...basics, queries: "mean: ['harmful'] | summarize avg(ms)" })
  expect(mean.outputs.verdict).toBe('inconclusive')
  expect(mean.log.join()).toContain('one number says nothing of chance')
})

test('little traffic is inconclusive, and failOn may say that this fails the job too', async () => {
  const run = await runCompare({ ...basics, queries: ERRORS('rare'), failOn: 'worse, inconclusive' })
  expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'inconclusive' } })
  expect(run.errors).toEqual([expect.stringContaining('Not judged: 3 events after, needs 20')])
})

test('the same hour a day ago explains what happens every day, unless something hurt then', async () => {
  for (const days of [0, 1])
    await storeTraffic(client, { dataset: 'daily', atMs: atMs - days * UNIT_MS.d, failing: [0.01, 0.03] })
  const run = await runCompare({ ...basics, queries: ERRORS('daily') })
  expect(run.outputs.verdict).not.toBe('worse')
  expect(run.summary).toContain('Compared with the same time of another day')
  expect((await runCompare({ ...basics, queries: ERRORS('daily'), seasons: 'none' })).outputs.verdict).toBe('worse')
  const yesterday = new Date(atMs - UNIT_MS.d).toISOString()
  await client.annotations.create({ datasets: ['daily'], type: 'incident', time: yesterday })
  expect((await runCompare({ ...basics, queries: ERRORS('daily') })).outputs.verdict).toBe('worse')
})

test('what is not over yet is waited for as long as was said, and then left out', async () => {
  const run = await runCompare({ ...basics, time: 'now', queries: ERRORS('harmless'), wait: '1s' })
  expect(run.log[0]).toMatch(/^Waiting 1 s, until /)
  expect(run.stdout).toMatch(/::notice::Only 0 s of the 10 min after the event have arrived; "wait" says how long to wait/)
  expect(run.outputs.verdict).toBe('inconclusive')
})

test('a wrong query fails the job with its name and the words of the service', async () => {
  const run = await runCompare({ ...basics, queries: "broken: ['harmless'] | summarise count()" })
  expect(run).toMatchObject({ exitCode: 1 })
  expect(run.errors).toEqual([
    expect.stringMatching(/^Could not ask the query "broken": POST .* answered 400: .*Change the query\.$/s),
  ])
})

test('an unknown dataset, and a query of single events, fail the job with what to do', async () => {
  const unknown = await runCompare({ ...basics, queries: "x: ['nowhere'] | summarize count() by bin(_time, 1m)" })
  expect(unknown.errors).toEqual([expect.stringMatching(/answered 404: .*Check the name of the dataset in the query/)])
  const rows = await runCompare({ ...basics, queries: "rows: ['harmless']" })
  expect(rows.errors).toEqual([expect.stringMatching(/^The query “rows” answers single events\. End it with a summarize/)])
})

test('a token that may not query fails the job with the permission that it lacks', async () => {
  const run = await runCompare({ ...basics, token: 'xaat-wrong', queries: ERRORS('harmless') })
  expect(run.errors).toEqual([expect.stringMatching(/answered 401: .*Check that the token belongs to the service/)])
  expect(run.stdout.replaceAll('::add-mask::xaat-wrong', '')).not.toContain('xaat-wrong')
})
