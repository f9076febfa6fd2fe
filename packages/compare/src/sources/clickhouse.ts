/**
 * ClickHouse as a source, over HTTP. The default is the table of traces that OpenTelemetry's exporter creates. A query is a SELECT with
 * a column of times, `{from:DateTime64(3)}` and `{to:DateTime64(3)}` for the requested times, and `{step:UInt32}` for the seconds of a
 * bucket. Text columns are groups, and numeric columns are compared. Sources: https://clickhouse.com/docs/interfaces/http and the
 * exporter of the OpenTelemetry Collector.
 */
import type { AnsweredTable } from '../columns.ts'
import { ComparisonError } from '../comparison.ts'
import type { NamedQuery } from '../named-queries.ts'
import { distanceOf } from '../tables.ts'
import { type AnswerReader, bucketMsOf, type CreateSource, quoteText, readService } from './source.ts'

interface Body {
  meta: { name: string; type: string }[]
  data: unknown[][]
}

const TABLE: AnswerReader<Body> = {
  expected: 'a result in the format JSONCompact, as ClickHouse answers',
  read(body) {
    const { meta, data } = (body ?? {}) as Partial<Body>
    return Array.isArray(meta) && Array.isArray(data) ? { meta, data } : undefined
  },
}

const TRACES = 'otel_traces'
/** Buckets are aligned to the requested times, so that one begins with the event. */
const BUCKET =
  "{from:DateTime64(3)} + toIntervalSecond(intDiv(age('second', {from:DateTime64(3)}, Timestamp), {step:UInt32}) * {step:UInt32})"

export const createClickHouseSource: CreateSource = (exchange, { path, service, afterMs }) => {
  const stepMs = bucketMsOf(afterMs)
  const { name } = readService(service)
  const database = decodeURIComponent(path.slice(1))

  function send(sql: string, parameters: Readonly<Record<string, string>> = {}): Promise<Body> {
    const named = Object.entries(parameters).map(([key, value]): [string, string] => [`param_${key}`, value])
    const search = new URLSearchParams([...named, ['default_format', 'JSONCompact'], ['session_timezone', 'UTC']])
    if (database !== '') search.set('database', database)
    return exchange({ path: `/?${search}`, headers: { 'content-type': 'text/plain' }, body: sql }, TABLE)
  }

  return {
    async ask({ apl: sql, name: query }, { startTime, endTime }) {
      const from = new Date(startTime).toISOString().replace('Z', '')
      const to = new Date(endTime).toISOString().replace('Z', '')
      const body = await send(sql, { from, to, step: String(stepMs / 1_000) })
      return { tables: [toTable(body, { sql, query, stepMs })], status: { isPartial: false } }
    },
    async chooseQueries(timeMs) {
      const hour = `Timestamp > fromUnixTimestamp64Milli(${timeMs - 3_600_000}) AND Timestamp <= fromUnixTimestamp64Milli(${timeMs})`
      const isThere = await send(`SELECT count() FROM system.tables WHERE database = currentDatabase() AND name = '${TRACES}'`)
      if (Number(isThere.data[0]?.[0] ?? 0) === 0)
        throw new ComparisonError(
          `ClickHouse has no table ${TRACES}, which OpenTelemetry's exporter makes, in the database ${database || 'of the user'}. Give the database as the path of the address, or give queries.`,
        )
      const of = quoteText(name, "'")
      const known = await send(`SELECT count() FROM ${TRACES} WHERE ServiceName = ${of} AND ${hour}`)
      if (Number(known.data[0]?.[0] ?? 0) === 0)
        throw new ComparisonError(
          `ClickHouse has no span of the service ${JSON.stringify(name)} in ${TRACES} in the hour before. Check the name of the service, or give queries.`,
        )
      return traceQueries(name, of)
    },
  }
}

function traceQueries(name: string, quoted: string): NamedQuery[] {
  const select = (columns: string) =>
    [
      `SELECT ${BUCKET} AS time, ${columns}`,
      `FROM ${TRACES}`,
      `WHERE ServiceName = ${quoted} AND SpanKind IN ('Server', 'SPAN_KIND_SERVER')`,
      'AND Timestamp >= {from:DateTime64(3)} AND Timestamp < {to:DateTime64(3)}',
      'GROUP BY time ORDER BY time',
    ].join('\n')
  const worse = { direction: 'higher-is-worse' } as const
  const quantiles = [50, 95, 99].map((p) => `quantile(${p / 100})(Duration) / 1e6 AS p${p}`)
  return [
    { name: `${name} traffic`, apl: select('count() AS requests') },
    {
      name: `${name} errors`,
      apl: select("countIf(StatusCode IN ('Error', 'STATUS_CODE_ERROR')) AS failed, count() AS requests"),
      ...worse,
    },
    { name: `${name} duration (ms)`, apl: select(quantiles.join(', ')), ...worse },
  ]
}

const TIME_TYPE = /^(?:Nullable\()?Date/
const NUMBER_TYPE = /^(?:Nullable\()?(?:U?Int|Float|Decimal)/

/** @throws ComparisonError if there is no column of times */
function toTable({ meta, data }: Body, { sql, query, stepMs }: { sql: string; query: string; stepMs: number }): AnsweredTable {
  const timeAt = meta.findIndex(({ type }) => TIME_TYPE.test(type))
  if (timeAt === -1)
    throw new ComparisonError(
      `The query “${query}” answers no column of times. Select one, such as toStartOfInterval(Timestamp, toIntervalSecond({step:UInt32})) AS time, and group by it.`,
    )
  const isNumber = (at: number) => NUMBER_TYPE.test(meta[at]?.type ?? '')
  const groups = meta.filter((_, at) => at !== timeAt && !isNumber(at)).map(({ name }) => ({ name }))
  const time = meta[timeAt]?.name ?? ''
  const rows = data.toSorted((a, b) => String(a[timeAt]).localeCompare(String(b[timeAt])))
  const sizeMs = /\{step:/.test(sql) ? stepMs : (distanceOf(rows.map((row) => toMs(row[timeAt]))) ?? stepMs)
  return {
    fields: meta.map(({ name }, at) => ({
      name,
      ...(at !== timeAt && isNumber(at) && { agg: { name: aggregationOf(name, sql) } }),
    })),
    groups: [{ name: time }, ...groups],
    buckets: { field: time, size: sizeMs * 1_000_000 },
    columns: meta.map((_, at) =>
      rows.map((row) => (at === timeAt ? new Date(toMs(row[at])).toISOString() : isNumber(at) ? toNumber(row[at]) : row[at])),
    ),
  }
}

/** ClickHouse writes 64-bit integers as texts by default. */
const toNumber = (value: unknown) => (value === null || value === 'nan' ? null : Number(value))

/** Times are in UTC: the request says so. A date is its midnight. */
function toMs(value: unknown): number {
  const text = String(value).replace(' ', 'T')
  return Date.parse(text.includes('T') ? `${text}Z` : text)
}

/** The aggregation of a column, by the expression before its name; anything else is a measurement. */
function aggregationOf(name: string, sql: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const [, call = ''] =
    new RegExp(
      `\\b(count(?:If|Distinct)?)\\s*\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)\\s+AS\\s+[\`"]?${escaped}\\b`,
      'i',
    ).exec(sql) ?? []
  const known: Readonly<Record<string, string>> = { count: 'count', countif: 'countif' }
  return known[(call || name.replace(/\(.*/s, '')).toLowerCase()] ?? 'measurement'
}
