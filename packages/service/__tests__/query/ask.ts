/**
 * Sends events and queries over a real socket. Answers keep every number: integers beyond 2^53 are bigint.
 */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import type { RunningService } from '../../../../__tests__/support/service.ts'

type Target = Pick<RunningService, 'url' | 'token'>

export interface Match {
  _time: string
  _sysTime?: string
  _rowId: string
  data: Record<string, unknown>
}

interface Table {
  name: string
  sources: { name: string }[]
  fields: { name: string; type: string; agg?: { name: string; fields: string[]; args?: unknown[] } }[]
  order: { field: string; desc: boolean }[]
  groups: { name: string }[]
  range: { field: string; start: string; end: string }
  buckets?: { field: string; size: number }
  columns: unknown[][]
}

export interface Body {
  format: string
  status: {
    elapsedTime: number
    minCursor: string
    maxCursor: string
    rowsMatched: number
    rowsExamined: number
    numGroups: number
    isPartial: boolean
    messages: { priority: string; count: number; code: string; msg: string; suggestion?: string }[]
  }
  tables: Table[]
  matches: Match[]
  buckets: { series: { startTime: string; endTime: string; groups: Group[] }[]; totals: Group[] }
  request: Record<string, unknown>
  datasetNames: string[]
  fieldsMetaMap: object
  code: number
  message: string
  detail?: { errorType: string; line: number; column: number; message: string }
}

interface Group {
  id: number
  group: Record<string, unknown>
  aggregations: { op: string; value: unknown }[]
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  body: Body
}

/** All times that can be stored. */
export const ALWAYS = { startTime: '1900-01-01T00:00:00Z', endTime: '2262-04-11T00:00:00Z' }

export async function post(service: Target, path: string, body: unknown, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    ...init,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', ...(init.headers as object) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseExact(text) as Body }
}

/** Events are objects, or JSON text where numbers matter. */
export async function ingest(service: Target, dataset: string, events: readonly unknown[] | string): Promise<void> {
  const { status, text } = await post(service, `/v1/datasets/${dataset}/ingest`, events)
  if (status !== 200 || !text.includes('"failed":0')) throw new Error(`ingest answered ${status} ${text}`)
}

/** Ingests so many events, each of which is made of its number. */
export function ingestEach(service: Target, dataset: string, count: number, eventOf: (n: number) => object): Promise<void> {
  return ingest(
    service,
    dataset,
    Array.from({ length: count }, (_, n) => eventOf(n)),
  )
}

export function apl(service: Target, text: string, members: object = {}, format = ''): Promise<Answer> {
  return post(service, `/v1/datasets/_apl${format && `?format=${format}`}`, { apl: text, ...ALWAYS, ...members })
}

export function legacy(service: Target, dataset: string, members: object = {}): Promise<Answer> {
  return post(service, `/v1/datasets/${dataset}/query`, { ...ALWAYS, ...members })
}

/** The rows of table `"0"` as objects. */
export function rowsOf({ tables }: Body, name = '0'): Record<string, unknown>[] {
  const table = tables.find((one) => one.name === name)
  if (!table) throw new Error(`there is no table ${name}`)
  return (table.columns[0] ?? []).map((_, row) =>
    Object.fromEntries(table.fields.map((field, column) => [field.name, table.columns[column]?.[row]])),
  )
}

/** How many events a dataset has, as a query says; rejects with the answer where there is none. */
export async function countEvents(service: Target, dataset: string, where = ''): Promise<number> {
  const { status, text, body } = await apl(service, `['${dataset}'] ${where} | count`)
  if (status !== 200) throw new Error(`the count answered ${status} ${text}`)
  return Number(body.tables[0]?.columns[0]?.[0])
}
