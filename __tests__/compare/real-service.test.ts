/**
 * The built step `compare` against the real service with real events, as a runner runs it.
 */
import { type Client, createClient } from '@deployment-annotations/client'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runCompare } from '../support/run-action.ts'
import { type RunningService, startService } from '../support/service.ts'
import { ERRORS, LATENCY, storeTraffic } from '../support/traffic.ts'

/** A minute sharp, so that buckets and windows have the same edges; long enough ago that nothing is waited for. */
const atMs = Math.floor(Date.now() / UNIT_MS.m) * UNIT_MS.m - 30 * UNIT_MS.m
const time = new Date(atMs).toISOString()

let service: RunningService
let client: Client
let basics: Record<string, string>
beforeAll(async () => {
  service = await startService()
  client = createClient({ token: service.token, baseUrl: service.url })
  basics = { token: service.token, baseUrl: service.url, time }
  await Promise.all([
    storeTraffic(client, { dataset: 'harmless', atMs, failing: [0.01, 0.01] }),
    storeTraffic(client, { dataset: 'harmful', atMs, failing: [0.01, 0.03], slower: 1.5 }),
    storeTraffic(client, { dataset: 'mending', atMs, failing: [0.03, 0.005] }),
    storeTraffic(client, { dataset: 'rare', atMs, failing: [0.5, 0.5], minutes: [30, 1], requestsPerMinute: 3 }),
  ])
})
afterAll(async () => {
  await client.close()
  await service[Symbol.asyncDispose]()
})

test('a deployment that changed nothing is the same', async () => {
  const run = await runCompare({ ...basics, queries: `${ERRORS('harmless')}\n${LATENCY('harmless')}`, failOn: 'worse' })
  expect(run).toMatchObject({ exitCode: 0, errors: [], warnings: [], outputs: { verdict: 'same' } })
  expect(run.log.at(-1)).toMatch(/: same\. Nothing has changed much in errors, latency\.$/)
})

test('errors tripled around an annotation fail the job with what to know at night', async () => {
  const { id } = await client.annotations.create({ datasets: ['harmful'], type: 'deploy', title: 'v1.2', time })
  const { time: _left, ...rest } = basics
  const run = await runCompare({ ...rest, id, queries: ERRORS('harmful'), failOn: 'worse' })
  expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'worse' } })
  expect(run.errors).toEqual([
    expect.stringMatching(
      /^v1\.2 \(ann_\w+\): worse\. After the event errors \S+ % → \S+ %, ×\S+ \(×\S+ to ×\S+\), over 99\.99 % sure\. Compared: \S+Z to \S+Z with \S+Z to \S+Z\. The job fails because "failOn" has "worse"\.$/,
    ),
  ])
})

test('without failOn the job goes on, with a warning', async () => {
  const run = await runCompare({ ...basics, queries: ERRORS('harmful') })
  expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: 'worse' }, warnings: [expect.stringMatching(/: worse\. /)] })
})

test('the summary has a table with the change, a chart and how sure it is, and the output has the same as JSON', async () => {
  const run = await runCompare({ ...basics, queries: `${ERRORS('harmful')}\n${LATENCY('harmful')}` })
  expect(run.summary).toMatch(/^### 🔴 Worse: /)
  expect(run.summary).toMatch(
    /^\| 🔴 worse \| errors \| \S+ % \| \S+ % \| ×\S+ .* \| `[▁▂▃▄▅▆▇█]{20}│[▁▂▃▄▅▆▇█]{4}` \| over 99\.99 % \|$/m,
  )
  expect(run.summary).toMatch(/^\| 🔴 worse \| latency \| .* \| \+\d\d % \(/m)
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
        volume: { before: 12_000, after: 2_000 },
      },
      { name: 'latency', kind: 'measurement', verdict: 'worse', volume: { before: 60, after: 10 } },
    ],
  })
})

test('fewer errors are better, and worse where lower is worse', async () => {
  expect((await runCompare({ ...basics, queries: ERRORS('mending') })).outputs.verdict).toBe('better')
  const reversed = ERRORS('mending').replace('errors:', 'errors (lower is worse):')
  expect((await runCompare({ ...basics, queries: reversed })).outputs.verdict).toBe('worse')
})

test('groups are judged each by itself', async () => {
  const queries = ERRORS('harmful').replace('bin(_time, 1m)', 'bin(_time, 1m), path')
  const { series } = JSON.parse((await runCompare({ ...basics, queries })).outputs.comparison ?? '')
  expect(series.map(({ name, verdict }: { name: string; verdict: string }) => `${name}: ${verdict}`).sort()).toEqual([
    'errors · /cart: worse',
    'errors · /checkout: worse',
  ])
})

test('a query that is not grouped by time is asked for each window', async () => {
  const queries = ERRORS('harmful').replace(' by bin(_time, 1m)', '')
  expect((await runCompare({ ...basics, queries })).outputs.verdict).toBe('worse')
  const mean = await runCompare({ ...basics, queries: "mean: ['harmful'] | summarize avg(ms)" })
  expect(mean.outputs.verdict).toBe('too little data')
  expect(mean.log.at(-1)).toContain('one number says nothing of chance')
})

test('little traffic is too little data, and failOn may say that this fails the job too', async () => {
  const run = await runCompare({ ...basics, queries: ERRORS('rare'), failOn: 'worse, too little data' })
  expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'too little data' } })
  expect(run.errors).toEqual([expect.stringContaining('counted out of 3 in the window after, at least 20 are needed')])
})

test('the same hour a day ago explains what happens every day', async () => {
  const dayMs = 24 * UNIT_MS.h
  for (const [days, dataset] of [
    [0, 'daily'],
    [1, 'daily'],
  ] as const)
    await storeTraffic(client, { dataset, atMs: atMs - days * dayMs, failing: [0.01, 0.03] })
  expect((await runCompare({ ...basics, queries: ERRORS('daily') })).outputs.verdict).toBe('worse')
  expect((await runCompare({ ...basics, queries: ERRORS('daily'), season: '1d' })).outputs.verdict).not.toBe('worse')
})

test('what is not over yet is waited for as long as was said, and then left out', async () => {
  const run = await runCompare({ ...basics, time: 'now', queries: ERRORS('harmless'), wait: '1s' })
  expect(run.log[0]).toMatch(/^Waiting 1 s, until /)
  expect(run.stdout).toMatch(/::notice::Only 1 s of the 10 min after the event are over; "wait" says how long to wait/)
  expect(run.outputs.verdict).toBe('too little data')
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
