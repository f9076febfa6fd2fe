/** The step `compare` over what Prometheus has: found by the name of a service, without a service of ours. */
import { expect, test } from '@jest/globals'
import { type HistogramSample, hasPrometheus, type Sample, startPrometheus } from '../support/prometheus.ts'
import { runCompare } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

if (!hasPrometheus) console.warn('skipped: this machine has no Prometheus')
const testWithPrometheus = hasPrometheus ? test : test.skip

const MINUTE = 60_000
const SCRAPE_MS = 15_000
const EVENT_MS = Math.floor(Date.now() / MINUTE) * MINUTE - 20 * MINUTE
const BEGIN_MS = EVENT_MS - 90 * MINUTE

/** Noise that is the same in each run. */
function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453
  return x - Math.floor(x) - 0.5
}

interface World {
  /** Requests in a scrape, by time. */
  requests: (atMs: number) => number
  /** The share of them that fail. */
  failing: (atMs: number) => number
  /** The share of them that take longer than half a second. */
  slow?: (atMs: number) => number
  untilMs?: number
}

/** Counters as a server has them, which begins again at zero in the middle of the time before. */
function scrape(
  metric: (labels: string) => string,
  { requests, failing, slow, untilMs = EVENT_MS + 15 * MINUTE }: World,
): Sample[] {
  const samples: Sample[] = []
  let counts = { ok: 0, bad: 0, quick: 0 }
  for (let atMs = BEGIN_MS; atMs <= untilMs; atMs += SCRAPE_MS) {
    if (atMs === EVENT_MS - 30 * MINUTE) counts = { ok: 0, bad: 0, quick: 0 }
    const all = Math.round(requests(atMs) * (1 + 0.2 * noise(atMs / SCRAPE_MS)))
    const bad = Math.round(all * failing(atMs) * (1 + 0.4 * noise(atMs / SCRAPE_MS + 0.3)))
    counts = {
      ok: counts.ok + all - bad,
      bad: counts.bad + bad,
      quick: counts.quick + Math.round(all * (1 - (slow?.(atMs) ?? 0))),
    }
    samples.push(
      { series: metric('code="200"'), atMs, value: counts.ok },
      { series: metric('code="503"'), atMs, value: counts.bad },
    )
    if (!slow) continue
    const total = counts.ok + counts.bad
    const buckets = [0.1, 0.5, 1, 5].map((le) => [
      `${le}`,
      le < 0.5 ? Math.round(counts.quick / 2) : le === 0.5 ? counts.quick : total,
    ])
    for (const [le, value] of [...buckets, ['+Inf', total]] as [string, number][])
      samples.push({ series: `http_request_duration_seconds_bucket{job="shop",le="${le}"}`, atMs, value })
  }
  return samples
}

const shop = (labels: string) => `http_requests_total{job="shop",instance="a:1",${labels}}`
const since = (changed: number, usual: number) => (atMs: number) => (atMs > EVENT_MS ? changed : usual)

const compare = (source: string, inputs: Record<string, string> = {}) =>
  runCompare({
    source,
    service: 'shop',
    time: new Date(EVENT_MS).toISOString(),
    seasons: 'none',
    failOn: 'worse',
    wait: '0s',
    ...inputs,
  })

interface Compared {
  series: { name: string; verdict: string; before: number; after: number }[]
}
const seriesOf = ({ outputs }: { outputs: Record<string, string> }) => (JSON.parse(outputs.comparison ?? '{}') as Compared).series

testWithPrometheus('errors that doubled fail the job, and what is as it was does not', async () => {
  await using prometheus = await startPrometheus(
    scrape(shop, { requests: () => 500, failing: since(0.04, 0.02), slow: since(0.2, 0.2) }),
  )
  // As the browser shows it.
  const run = await compare(`${prometheus.url}/graph`)
  expect(seriesOf(run)).toMatchObject([
    { name: 'shop traffic', verdict: expect.stringMatching(/^(same|inconclusive)$/) },
    { name: 'shop errors', verdict: 'worse', before: expect.closeTo(0.02, 2), after: expect.closeTo(0.04, 2) },
    { name: 'shop duration (s) · p50', verdict: expect.not.stringMatching(/worse/) },
    { name: 'shop duration (s) · p95', verdict: expect.not.stringMatching(/worse/) },
    { name: 'shop duration (s) · p99', verdict: expect.not.stringMatching(/worse/) },
  ])
  expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'worse' } })
  expect(run.log.join('\n')).toMatch(/Looking at shop errors: sum\(increase\(http_requests_total\{job="shop", code=~"5/)
})

testWithPrometheus('nothing that changed passes, whatever the counters do; slower answers do not', async () => {
  await using quiet = await startPrometheus(scrape(shop, { requests: () => 500, failing: () => 0.02, slow: () => 0.2 }))
  const passed = await compare(quiet.url)
  expect([passed.exitCode, passed.errors]).toEqual([0, []])

  await using slower = await startPrometheus(scrape(shop, { requests: () => 500, failing: () => 0.02, slow: since(0.4, 0.02) }))
  expect(seriesOf(await compare(slower.url)).find(({ name }) => name.endsWith('p95'))).toMatchObject({ verdict: 'worse' })
})

testWithPrometheus('queries in PromQL are compared, those with labels for each of these', async () => {
  const queries = 'failed: sum by (code) (increase(http_requests_total{job="shop", code!="200"}[1m]))'
  await using prometheus = await startPrometheus(scrape(shop, { requests: () => 500, failing: since(0.06, 0.02) }))
  const run = await compare(prometheus.url, { service: '', queries })
  expect(seriesOf(run)).toMatchObject([{ name: expect.stringMatching(/^failed · 503/), verdict: 'worse' }])
})

const minutes = (from: number, to: number) => (atMs: number) => atMs > EVENT_MS + from * MINUTE && atMs < EVENT_MS + to * MINUTE
/** Every target has it at each scrape, and nothing has it where nothing was scraped. */
const withUp = (samples: readonly Sample[], isBlind: (atMs: number) => boolean, untilMs = EVENT_MS + 15 * MINUTE): Sample[] => {
  const up: Sample[] = []
  for (let atMs = BEGIN_MS; atMs <= untilMs; atMs += SCRAPE_MS) up.push({ series: 'up{job="other"}', atMs, value: 1 })
  return [...samples, ...up].filter(({ atMs }) => !isBlind(atMs))
}

testWithPrometheus(
  'times at which nothing was scraped are left out, and no outage; a service that is not scraped while others are is gone',
  async () => {
    const steady = scrape(shop, { requests: () => 500, failing: () => 0.02 })
    const isBlind = (atMs: number) => minutes(-25, -15)(atMs) || minutes(6.5, 11)(atMs)
    await using gaps = await startPrometheus(withUp(steady, isBlind))
    const run = await compare(gaps.url, { after: '20m' })
    expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: expect.stringMatching(/^(same|inconclusive)$/) } })
    expect(JSON.parse(run.outputs.comparison ?? '{}').notes.join()).toMatch(/Nothing was collected in \d+ of the buckets/)

    await using blind = await startPrometheus(withUp(steady, minutes(0, 60)))
    const unknown = await compare(blind.url)
    expect(unknown.outputs.verdict).toBe('inconclusive')

    const until = scrape(shop, { requests: () => 500, failing: () => 0.02, untilMs: EVENT_MS + 10_000 })
    await using gone = await startPrometheus(withUp(until, () => false))
    expect(await compare(gone.url)).toMatchObject({ exitCode: 1, outputs: { verdict: 'gone' } })
  },
)

testWithPrometheus(
  'more labels tell services of one name apart, panels may be copied, and calls of gRPC fail by their code',
  async () => {
    const of = (namespace: string) => (labels: string) => `http_requests_total{app="shop",namespace="${namespace}",${labels}}`
    const grpc = (labels: string) =>
      `grpc_server_handled_total{job="cart",${labels.replace('code="200"', 'grpc_code="OK"').replace('code="503"', 'grpc_code="Internal"')}}`
    await using prometheus = await startPrometheus([
      ...scrape(of('production'), { requests: () => 500, failing: () => 0.02 }),
      ...scrape(of('staging'), { requests: () => 500, failing: since(0.3, 0.02) }),
      ...scrape(grpc, { requests: () => 500, failing: since(0.3, 0.02) }),
    ])
    expect((await compare(prometheus.url, { service: 'shop{namespace="production"}' })).outputs.verdict).not.toBe('worse')
    expect((await compare(prometheus.url, { service: 'shop{namespace="staging"}' })).outputs.verdict).toBe('worse')
    expect((await compare(prometheus.url, { service: 'cart' })).outputs.verdict).toBe('worse')
    const queries = 'failed: sum(rate(http_requests_total{namespace="staging", code="503"}[$__rate_interval]))'
    expect((await compare(prometheus.url, { service: '', queries })).outputs.verdict).toBe('worse')
    // More than the 11,000 values that one answer may have.
    const long = await compare(prometheus.url, { service: 'shop{namespace="staging"}', before: '10d' })
    expect(long.outputs.verdict).toBe('worse')
  },
)

testWithPrometheus(
  'a native histogram alone says how many requests there are, how many fail, and how long they take',
  async () => {
    const histograms: HistogramSample[] = []
    const counts = { '200': [0, 0], '503': [0, 0] } as Record<string, [number, number]>
    for (let atMs = BEGIN_MS; atMs <= EVENT_MS + 15 * MINUTE; atMs += SCRAPE_MS) {
      for (const [code, all] of Object.entries(counts)) {
        const [failed, slow] = atMs > EVENT_MS ? [0.06, 0.3] : [0.02, 0.02]
        const requests = Math.round(500 * (code === '503' ? failed : 1 - failed) * (1 + 0.2 * noise(atMs / SCRAPE_MS)))
        // The counters begin again in the middle of the time before.
        const [quick, late] = atMs === EVENT_MS - 30 * MINUTE ? [0, 0] : all
        counts[code] = [quick + Math.round(requests * (1 - slow)), late + Math.round(requests * slow)]
        const labels = { __name__: 'http_server_request_duration_seconds', job: 'eu/shop', http_response_status_code: code }
        histograms.push({ labels, atMs, quick: counts[code][0], slow: counts[code][1] })
      }
    }
    await using prometheus = await startPrometheus([], histograms)
    const run = await compare(prometheus.url)
    expect(run.errors).toEqual([expect.stringContaining('worse')])
    expect(seriesOf(run)).toMatchObject([
      { name: 'shop traffic', verdict: expect.stringMatching(/^(same|inconclusive)$/), before: expect.closeTo(2_000, -3) },
      { name: 'shop errors', verdict: 'worse', before: expect.closeTo(0.02, 2), after: expect.closeTo(0.06, 2) },
      { name: 'shop duration (s) · p50' },
      { name: 'shop duration (s) · p95', verdict: 'worse', before: expect.closeTo(0.25, 1), after: expect.closeTo(3.7, 0) },
      { name: 'shop duration (s) · p99' },
    ])
  },
)

testWithPrometheus('services of one name in several places are judged together, and that is said', async () => {
  const of = (namespace: string) => (labels: string) =>
    `http_server_request_duration_seconds_count{service_name="shop",k8s_namespace_name="${namespace}",${labels}}`
  const calls = (labels: string) =>
    `traces_span_metrics_calls_total{service_name="cart",span_kind="SPAN_KIND_SERVER",${labels.replace('code="200"', 'status_code="STATUS_CODE_UNSET"').replace('code="503"', 'status_code="STATUS_CODE_ERROR"')}}`
  await using prometheus = await startPrometheus([
    ...scrape(of('production'), { requests: () => 500, failing: () => 0.02 }),
    ...scrape(of('staging'), { requests: () => 500, failing: since(0.3, 0.02) }),
    ...scrape(calls, { requests: () => 500, failing: since(0.3, 0.02) }),
  ])
  const notesOf = ({ outputs }: { outputs: Record<string, string> }) => JSON.parse(outputs.comparison ?? '{}').notes.join('\n')
  const both = await compare(prometheus.url)
  expect(notesOf(both)).toBe(
    'Prometheus has shop with several values of k8s_namespace_name (production, staging), which are judged together. Name one of them as shop{k8s_namespace_name="production"}.',
  )
  const one = await compare(prometheus.url, { service: 'shop{k8s_namespace_name="production"}' })
  expect([one.outputs.verdict, notesOf(one)]).toEqual([expect.not.stringMatching('worse'), ''])
  // What OpenTelemetry's Collector makes of spans.
  expect((await compare(prometheus.url, { service: 'cart' })).outputs.verdict).toBe('worse')
})

testWithPrometheus('a service that nobody knows, and a query that is none, say so', async () => {
  await using prometheus = await startPrometheus(scrape(shop, { requests: () => 5, failing: () => 0 }))
  const unknown = await compare(prometheus.url, { service: 'shpo' })
  expect(unknown.errors.join()).toMatch(
    /no metric of requests.*with a label that is "shpo".*It has those of shop\. Check the name of the service/,
  )
  const broken = await compare(prometheus.url, { queries: 'x: sum(' })
  expect(broken.errors.join()).toMatch(/Could not ask Prometheus for "x".*answered 400: .*parse error.*Change the query/)
})

test('a token crosses as it has to, to the source alone, and a wrong one is named', async () => {
  await using refusing = await startScriptedService({ POST: () => ({ status: 401, body: '{"status":"error","error":"no"}' }) })
  const bearer = await compare(refusing.url, { sourceToken: 'glc_0123456789' })
  expect(refusing.requests[0]?.headers.authorization).toBe('Bearer glc_0123456789')
  expect(bearer.errors.join()).toMatch(/answered 401: no\..*Check "sourceToken"/)
  await compare(refusing.url, { sourceToken: '12345:secret-password' })
  expect(refusing.requests.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from('12345:secret-password').toString('base64')}`)
  await using moved = await startScriptedService({
    POST: () => ({ status: 308, headers: { location: `${refusing.url}/elsewhere` }, body: '' }),
  })
  const before = refusing.requests.length
  const redirected = await compare(moved.url, { sourceToken: 'glc_0123456789' })
  expect(redirected.errors.join()).toMatch(/a redirect to .*where the token must not go.*Set "source" to the address/)
  expect(refusing.requests).toHaveLength(before)
  const without = await compare(refusing.url)
  expect(refusing.requests.at(-1)?.headers).not.toHaveProperty('authorization')
  expect(bearer.masks).toContain('glc_0123456789')
  expect(without.exitCode).toBe(1)
})

test('a tenant crosses in its header, times that a server moves are read, and a part is no answer', async () => {
  let said: object = {}
  await using moved = await startScriptedService({
    POST: (_, { body }) => {
      const { start, end, step } = Object.fromEntries(new URLSearchParams(String(body))) as Record<string, string>
      const values: [number, string][] = []
      // As VictoriaMetrics does where there are many.
      const first = Math.floor(Number(start) / Number(step)) * Number(step)
      for (let at = first; at <= Number(end); at += Number(step)) values.push([at, at > EVENT_MS / 1_000 ? '40' : '20'])
      return { status: 200, body: JSON.stringify({ status: 'success', data: { result: [{ metric: {}, values }] }, ...said }) }
    },
  })
  const asked = { service: '', queries: 'latency: histogram_quantile(0.95, x)', time: new Date(EVENT_MS + 17_000).toISOString() }
  const run = await compare(moved.url, { ...asked, sourceTenant: 'team-a' })
  expect(moved.requests[0]?.headers).toMatchObject({ 'x-scope-orgid': 'team-a', 'thanos-tenant': 'team-a' })
  expect(seriesOf(run)).toMatchObject([{ verdict: 'worse', before: 20, after: 40 }])
  said = { warnings: ['PromQL info: metric might not be a counter'] }
  expect((await compare(moved.url, asked)).outputs.verdict).toBe('worse')
  for (const part of [{ warnings: ['store 10.0.0.7 unavailable'] }, { isPartial: true }]) {
    said = part
    expect((await compare(moved.url, asked)).errors.join()).toMatch(/answered in part only.*(10\.0\.0\.7|partial)/)
  }
})

test.each([
  [{ source: 'http://prometheus.invalid', sourceTenant: 'a\nb' }, /input "sourceTenant"/],
  [{ source: 'http://prometheus.invalid', sourceToken: 'x' }, /input "source".*unencrypted/],
  [{ source: 'prometheus:9090', service: '' }, /input "service" is required with a source/],
  [{ source: '', service: 'shop' }, /input "service" is "shop" and there is no source/],
])('%j is refused before anything is asked', async (inputs, message) => {
  const run = await compare('http://127.0.0.1:1', inputs)
  expect(run.errors.join('\n')).toMatch(message)
})
