/** The step `compare` over Loki and ClickHouse. A server answers as Loki's documentation says, because no machine has Loki; ClickHouse is real. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type ClickHouse, startClickHouse } from '../support/clickhouse-server.ts'
import { testOnClickHouse } from '../support/databases.ts'
import { runCompare } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const MINUTE = 60_000
const EVENT_MS = Math.floor(Date.now() / MINUTE) * MINUTE - 20 * MINUTE + 17_000

const compare = (inputs: Record<string, string>) =>
  runCompare({ time: new Date(EVENT_MS).toISOString(), seasons: 'none', failOn: 'worse', wait: '0s', ...inputs })

interface Compared {
  series: { name: string; verdict: string; kind: string; before: number; after: number }[]
}
const seriesOf = ({ outputs }: { outputs: Record<string, string> }) => (JSON.parse(outputs.comparison ?? '{}') as Compared).series

/** Lines a minute and errors among them, as Loki answers metric queries: times that it aligned, and labels that it found. */
const startLoki = (answer: (query: string, atMs: number) => number | undefined) =>
  startScriptedService({
    POST(_, { path, body, headers }) {
      if (headers['x-scope-orgid'] !== 'shops') return { status: 401, body: 'no org id' }
      const { query = '', start, end, step, time } = Object.fromEntries(new URLSearchParams(body)) as Record<string, string>
      const valueAt = (atS: number) => answer(query, atS * 1_000)
      if (path === '/loki/api/v1/query') {
        const value = valueAt(Number(time))
        return {
          status: 200,
          body: matrix(value === undefined ? [] : [{ metric: {}, value: [Number(time), String(value)] }], 'vector'),
        }
      }
      const values: [number, string][] = []
      for (let at = Math.ceil(Number(start) / Number(step)) * Number(step); at <= Number(end); at += Number(step))
        values.push([at, String(valueAt(at) ?? 0)])
      return { status: 200, body: matrix([{ metric: {}, values }], 'matrix') }
    },
  })
const matrix = (result: object[], resultType: string) =>
  JSON.stringify({ status: 'success', data: { resultType, result, stats: { summary: {} } } })

test('Loki is asked for the lines of a service and the errors among them, by the label that it has', async () => {
  await using loki = await startLoki((query, atMs) => {
    if (!query.includes('app="shop"')) return undefined
    const wave = Math.round(20 * Math.sin(atMs / 1e5))
    return query.includes('detected_level') ? (atMs > EVENT_MS ? 60 : 20) + Math.round(wave / 10) : 1_000 + wave
  })
  const inputs = { source: `loki+${loki.url}`, sourceTenant: 'shops', service: 'shop{cluster="eu"}' }
  const run = await compare(inputs)
  expect(seriesOf(run)).toMatchObject([
    { name: 'shop log lines', kind: 'count', verdict: 'same' },
    {
      name: 'shop errors in logs',
      kind: 'share',
      verdict: 'worse',
      before: expect.closeTo(0.02, 2),
      after: expect.closeTo(0.06, 2),
    },
  ])
  const ranges = loki.requests
    .filter(({ path }) => path.endsWith('query_range'))
    .map(({ body }) => new URLSearchParams(body).get('query'))
  expect(ranges[0]).toBe('sum(count_over_time({app="shop", cluster="eu"}[60s]))')
  const other = await compare({ ...inputs, service: 'shpo' })
  expect(other.errors.join()).toMatch(/Loki has no stream with a label that is "shpo"/)
  const refused = await compare({ ...inputs, sourceTenant: '' })
  expect(refused.errors.join()).toMatch(/Could not ask Loki for the metrics of .*401: no org id/)
})

let clickhouse: ClickHouse | undefined
const run = async (sql: string) => {
  const answer = await fetch(`${clickhouse?.url}/`, { method: 'POST', body: sql })
  if (!answer.ok) throw new Error(await answer.text())
}

beforeAll(async () => {
  if (testOnClickHouse !== test) return
  clickhouse = await startClickHouse()
  await run('CREATE DATABASE otel')
  // As the exporter of the OpenTelemetry Collector makes it, as far as it is asked.
  await run(`CREATE TABLE otel.otel_traces (Timestamp DateTime64(9), SpanKind LowCardinality(String), ServiceName LowCardinality(String),
    Duration UInt64, StatusCode LowCardinality(String), SpanAttributes Map(LowCardinality(String), String))
    ENGINE = MergeTree ORDER BY (ServiceName, toDateTime(Timestamp))`)
  const failing = (service: string, after: number) => `INSERT INTO otel.otel_traces
    SELECT fromUnixTimestamp64Milli(${EVENT_MS - 90 * MINUTE} + number * 200) AS at, 'Server', '${service}',
      toUInt64(1e6 * (20 + cityHash64(number, 1) % 30)), if(cityHash64(number, 2) % 1000 < if(at >= fromUnixTimestamp64Milli(${EVENT_MS}), ${after}, 20), 'Error', 'Unset'),
      map('version', if(number % 2 = 0, 'a', 'b'))
    FROM numbers(${(105 * MINUTE) / 200})`
  await run(failing('shop', 80))
  await run(failing('calm', 20))
}, 60_000)
afterAll(async () => {
  await clickhouse?.[Symbol.asyncDispose]()
})

testOnClickHouse('ClickHouse is asked for the traces that OpenTelemetry keeps there', async () => {
  const source = `clickhouse+${clickhouse?.url}/otel`
  const worse = await compare({ source, service: 'shop' })
  expect(seriesOf(worse)).toMatchObject([
    { name: 'shop traffic', kind: 'count', verdict: 'same' },
    { name: 'shop errors', kind: 'share', verdict: 'worse', before: expect.closeTo(0.02, 2), after: expect.closeTo(0.08, 2) },
    { name: 'shop duration (ms) · p50', kind: 'measurement' },
    { name: 'shop duration (ms) · p95' },
    { name: 'shop duration (ms) · p99' },
  ])
  expect(await compare({ source, service: 'calm' })).toMatchObject({ exitCode: 0 })
  expect((await compare({ source, service: "sh'op\\" })).errors.join()).toMatch(/ClickHouse has no span of the service "sh'op/)
  expect((await compare({ source: `clickhouse+${clickhouse?.url}`, service: 'shop' })).errors.join()).toMatch(
    /no table otel_traces/,
  )
})

testOnClickHouse('queries in SQL are compared, by what they count and for each text beside the numbers', async () => {
  const source = `clickhouse+${clickhouse?.url}/otel`
  const where = 'FROM otel_traces WHERE Timestamp >= {from:DateTime64(3)} AND Timestamp < {to:DateTime64(3)}'
  const queries = [
    "failed: SELECT toStartOfMinute(Timestamp) AS t, SpanAttributes['version'] AS version, countIf(StatusCode = 'Error') AS bad, count() AS all",
    `  ${where} AND ServiceName = 'shop' GROUP BY t, version ORDER BY t`,
  ].join('\n')
  const found = await compare({ source, queries })
  expect(seriesOf(found)).toMatchObject([
    { name: expect.stringMatching(/^failed · [ab]$/), kind: 'share', verdict: 'worse' },
    { name: expect.stringMatching(/^failed · [ab]$/), kind: 'share', verdict: 'worse' },
  ])
  expect((await compare({ source, queries: 'x: SELECT 1' })).errors.join()).toMatch(/“x” answers no column of times/)
  const wrong = await compare({ source, queries: 'x: SELEC 1' })
  expect(wrong.errors.join()).toMatch(/Could not ask ClickHouse for "x".*Syntax error.*Change the query/)
})
