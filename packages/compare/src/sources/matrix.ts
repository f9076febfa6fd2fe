/** Turns series from the query API of Prometheus, which Loki has too, into the tables that comparisons read. */

import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { AnsweredTable } from '../columns.ts'
import type { Answer } from '../comparison.ts'
import type { NamedQuery } from '../named-queries.ts'
import type { Span, TimeRange } from '../windows.ts'
import type { AnswerReader, Exchange } from './source.ts'

/** A query whose columns are requested one by one. */
export interface MatrixQuery extends NamedQuery {
  columns?: readonly MatrixColumn[]
}

export interface MatrixColumn {
  name: string
  aggregation: 'count' | 'countif' | 'percentile' | 'measurement'
  query: string
}

export function toQuery(name: string, columns: readonly MatrixColumn[]): MatrixQuery {
  return { name, apl: columns.map(({ query }) => query).join('\n'), columns }
}

/** One series: its labels, and its values with their times in seconds since the epoch. Values are texts, such as `NaN`. */
interface MatrixSeries {
  metric: Readonly<Record<string, string>>
  values: readonly (readonly [seconds: number, value: string])[]
}

interface Matrix {
  series: MatrixSeries[]
  /** Why the answer may be incomplete; empty if it is complete. */
  lacks: string[]
}

interface Body {
  data?: { result?: { metric?: unknown; value?: [number, string]; values?: [number, string][] }[] }
  warnings?: string[]
  /** Set by VictoriaMetrics if a part of its cluster did not answer. */
  isPartial?: boolean
}

/** Remarks of Prometheus 3 about a query, which say nothing about its answer. */
const REMARK = /^PromQL (?:info|warning):/

const MATRIX: AnswerReader<Matrix> = {
  expected: "a vector or a matrix, as Prometheus' query API answers",
  read(body) {
    const { data, warnings = [], isPartial = false } = (body ?? {}) as Body
    const result = data?.result
    if (!Array.isArray(result) || !result.every((one) => typeof one?.metric === 'object' && (one.value ?? one.values)))
      return undefined
    const lacks = warnings.filter((warning) => !REMARK.test(warning))
    return {
      series: result.map(({ metric, value, values = value ? [value] : [] }) => ({
        metric: metric as MatrixSeries['metric'],
        values,
      })),
      lacks: isPartial && lacks.length === 0 ? ['it says that the answer is partial'] : lacks,
    }
  },
}

/** From the time of the first value; the others follow every `stepMs` up to the end, which is included. */
interface MatrixRange extends Span {
  stepMs: number
}

/** Prometheus answers at most 11,000 values of a series. */
const POINTS_MAX = 10_000

const seconds = (ms: number) => String(ms / 1_000)

type MatrixApi = ReturnType<typeof createMatrixApi>

/** The API: paths, parameters as a form, and the headers of a tenant. @param base path of the API, such as `/api/v1` */
export function createMatrixApi(exchange: Exchange, base: string, tenant: string) {
  const headers = {
    // The query is a form in the body: in the address a long one would fill each message about it, and some servers refuse it.
    'content-type': 'application/x-www-form-urlencoded',
    // Mimir, Loki and Cortex read the first header, Thanos the second.
    ...(tenant !== '' && { 'x-scope-orgid': tenant, 'thanos-tenant': tenant }),
  }
  const ask = (path: string, parameters: Record<string, string>) =>
    exchange({ path: `${base}/${path}`, headers, body: String(new URLSearchParams(parameters)) }, MATRIX)
  return {
    query: (query: string, timeMs: number) => ask('query', { query, time: seconds(timeMs) }),
    async queryRange(query: string, { startMs, endMs, stepMs }: MatrixRange): Promise<Matrix> {
      const all: Matrix = { series: [], lacks: [] }
      for (let from = startMs; from <= endMs; from += POINTS_MAX * stepMs) {
        const to = Math.min(endMs, from + (POINTS_MAX - 1) * stepMs)
        const { series, lacks } = await ask('query_range', {
          query,
          start: seconds(from),
          end: seconds(to),
          step: seconds(stepMs),
        })
        all.series.push(...series)
        all.lacks.push(...lacks)
      }
      return all
    },
  }
}

/** The variable for the length of a bucket, as in panels of Grafana. */
const INTERVAL = /\$\{?__(?:rate_)?interval\}?/g

interface AskedRange {
  stepMs: number
  /** A query with a value in every bucket in which the server collected anything; absent if there is none. */
  collected?: string | undefined
}

/** @returns the answer to a query over `[startTime, endTime)`, one bucket after the other */
export async function askMatrix(
  api: MatrixApi,
  query: MatrixQuery,
  { startTime, endTime }: TimeRange,
  { stepMs, collected }: AskedRange,
): Promise<Answer> {
  const columns = query.columns ?? [{ name: 'value', aggregation: 'measurement', query: query.apl } as const]
  const range = { startMs: Date.parse(startTime) + stepMs, endMs: Date.parse(endTime), stepMs }
  const answered: AnsweredColumn[] = []
  const lacks = new Set<string>()
  const askOne = async (text: string) => {
    const matrix = await api.queryRange(text.replaceAll(INTERVAL, `${stepMs / 1_000}s`), range)
    for (const lack of matrix.lacks) lacks.add(lack)
    return matrix.series
  }
  for (const { query: text, ...column } of columns) answered.push({ ...column, series: await askOne(text) })
  const unseen = collected === undefined ? undefined : findUnseen(await askOne(collected), range)
  return {
    tables: [{ ...toTable(answered, stepMs), ...(unseen && { unseen }) }],
    status: { isPartial: lacks.size > 0, messages: [...lacks].map((msg) => ({ code: 'source', msg })) },
  }
}

/** @returns the starts of the buckets in which nothing was collected, if anything ever was */
function findUnseen(series: readonly MatrixSeries[], { startMs, endMs, stepMs }: MatrixRange): Set<number> | undefined {
  const seen = new Set(series.flatMap(({ values }) => values.map(([at]) => Math.round(at * 1_000))))
  const [first] = seen
  if (first === undefined) return undefined
  const unseen = new Set<number>()
  // A server may move the times to multiples of the step.
  const offset = (((first - startMs) % stepMs) + stepMs) % stepMs
  for (let at = startMs + offset; at <= endMs; at += stepMs) if (!seen.has(at)) unseen.add(at - stepMs)
  return unseen
}

/** One column of an answer: its series, by their labels. */
interface AnsweredColumn extends Omit<MatrixColumn, 'query'> {
  series: readonly MatrixSeries[]
}

/** @returns the table. A value at a time belongs to the bucket that ends there */
function toTable(answered: readonly AnsweredColumn[], stepMs: number): AnsweredTable {
  const labels = [...new Set(answered.flatMap(({ series }) => series.flatMap(({ metric }) => Object.keys(metric))))].sort()
  const rows = new Map<string, { time: number; group: (string | null)[]; values: (number | null)[] }>()
  for (const [at, { series, aggregation }] of answered.entries()) {
    for (const { metric, values } of series) {
      const group = labels.map((label) => metric[label] ?? null)
      for (const [second, value] of values) {
        const time = Math.round(second * 1_000) - stepMs
        const key = JSON.stringify([time, ...group])
        const row = rows.get(key) ?? { time, group, values: answered.map(() => null) }
        row.values[at] = toValue(value, aggregation)
        rows.set(key, row)
      }
    }
  }
  const sorted = [...rows.values()].sort((a, b) => a.time - b.time)
  return {
    fields: [
      { name: '_time' },
      ...labels.map((name) => ({ name })),
      ...answered.map(({ name, aggregation }) => ({ name, agg: { name: aggregation } })),
    ],
    groups: [{ name: '_time' }, ...labels.map((name) => ({ name }))],
    buckets: { field: '_time', size: stepMs * Number(UNIT_NS.ms) },
    columns: [
      sorted.map(({ time }) => new Date(time).toISOString()),
      ...labels.map((_, at) => sorted.map(({ group }) => group[at])),
      ...answered.map((_, at) => sorted.map(({ values }) => values[at])),
    ],
  }
}

/** Rounds counts, because `increase` extrapolates to the ends of its range. */
function toValue(value: string, aggregation: string): number | null {
  const number = Number(value)
  if (!Number.isFinite(number)) return null
  return aggregation === 'count' || aggregation === 'countif' ? Math.round(number) : number
}
