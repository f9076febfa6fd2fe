/**
 * The questions: in the service's language, and as SQL that a good user of a store would write. All of them ask for the whole day but the
 * last; the service is always told the span, and the SQL only where it narrows something down.
 * Deliberately not here: how they are asked.
 */
import { END_MS, eventAt, rareWord } from './events.ts'
import type { Dialect } from './system.ts'

export interface Question {
  readonly name: string
  /** The most it should take the service with 2 million events, on the machine where that was settled. */
  readonly wantedMs: number
  /** What VictoriaLogs took there: on a machine where it takes longer, the service may take as many times longer. */
  readonly victoriaLogsMs?: number
  /** What follows the name of the dataset. */
  apl(constants: Constants): string
  sql(constants: Constants, dialect: Dialect): string
  /** The same for VictoriaLogs: a query, and a limit of newest events where that is what is asked for. */
  logsQl(constants: Constants): { readonly query: string; readonly limit?: string }
  /** The columns by which answers are compared; rows of groups in any order. */
  readonly columns: readonly string[]
  readonly isOrdered?: boolean
  /** Of figures that may be estimates: by what part of the larger one they may differ. */
  readonly tolerance?: number
  /** Whether the service says how many rows match; no other store does. */
  readonly countsMatches?: boolean
  /** The time of the row that the page continues behind. */
  after?(constants: Constants): string
  /** Where the span begins, if not with the day. */
  from?(constants: Constants): string
}

/** What differs from round to round, so that no cache of answers or conditions helps. */
export interface Constants {
  readonly host: string
  readonly status: number
  readonly rare: string
  /** A word that one event has. */
  readonly needle: string
  readonly common: string
  readonly part: string
  readonly traceId: string
  /** Of the row before page 500. */
  readonly pageTime: string
  readonly lastHour: string
}

const COMMON_WORDS = ['upstream', 'database', 'incident', 'checkout', 'timeout', 'payment', 'session', 'expired', 'handled']
const PAGE_ROWS = 100
const PAGE = 500

/** @param total events there are */
export function constantsOf(round: number, total: number): Constants {
  const common = COMMON_WORDS[round % COMMON_WORDS.length] as string
  const field = (i: number, name: string) => (JSON.parse(eventAt(i, total)) as Record<string, string>)[name] as string
  return {
    host: `web-${round % 40}`,
    status: 500 - (round % 90),
    rare: rareWord(round),
    needle: `id${Math.floor(total * (0.2 + (round % 40) / 80))}`,
    common,
    part: (COMMON_WORDS[(round + 4) % COMMON_WORDS.length] as string).slice(1, -1),
    traceId: field(Math.floor(total * (0.3 + (round % 40) / 100)), 'trace_id'),
    pageTime: field(total - Math.min(PAGE_ROWS * (PAGE - 1), total >> 1) - round, '_time'),
    lastHour: new Date(END_MS - 3_600_000 - round * 1_000).toISOString(),
  }
}

const NEWEST = { limit: String(PAGE_ROWS) } as const
const counted = (query: string) => ({ query: `${query} | stats count() as n` })
const ROWS = { columns: ['trace_id'], isOrdered: true } as const
const newest = (where = '') => `SELECT * FROM events ${where} ORDER BY _time DESC LIMIT ${PAGE_ROWS}`
const countOf = (where = '') => `SELECT count(*) AS n FROM events ${where}`
const COUNT = { columns: ['n'] } as const

const ofHost = {
  ...ROWS,
  apl: ({ host }: Constants) => `| where host == '${host}' | sort by _time desc | limit ${PAGE_ROWS}`,
  sql: ({ host }: Constants, { text }: Dialect) => newest(`WHERE ${text('host')} = '${host}'`),
  logsQl: ({ host }: Constants) => ({ query: `host:="${host}"`, ...NEWEST }),
}

export const QUESTIONS: readonly Question[] = [
  {
    ...COUNT,
    name: 'count all',
    wantedMs: 3,
    victoriaLogsMs: 1.6,
    apl: () => '| summarize n = count()',
    sql: () => countOf(),
    logsQl: () => counted('*'),
  },
  {
    ...COUNT,
    name: 'count where status >= 500',
    wantedMs: 11,
    victoriaLogsMs: 10,
    apl: ({ status }) => `| where status >= ${status} | summarize n = count()`,
    sql: ({ status }, { number }) => countOf(`WHERE ${number('status')} >= ${status}`),
    logsQl: ({ status }) => counted(`status:>=${status}`),
  },
  { ...ofHost, name: 'one host, newest 100, matches counted', wantedMs: 45, countsMatches: true },
  { ...ofHost, name: 'one host, newest 100', wantedMs: 20, victoriaLogsMs: 28 },
  {
    ...ROWS,
    name: 'newest 100',
    wantedMs: 15,
    victoriaLogsMs: 105,
    apl: () => `| sort by _time desc | limit ${PAGE_ROWS}`,
    sql: () => newest(),
    logsQl: () => ({ query: '*', ...NEWEST }),
  },
  {
    ...ROWS,
    name: `page ${PAGE} of ${PAGE_ROWS}`,
    wantedMs: 15,
    victoriaLogsMs: 86,
    apl: () => `| sort by _time desc | limit ${PAGE_ROWS}`,
    sql: ({ pageTime }, { time }) => newest(`WHERE _time < ${time(pageTime)}`),
    logsQl: ({ pageTime }) => ({ query: `_time:<${pageTime}`, ...NEWEST }),
    after: ({ pageTime }) => pageTime,
  },
  {
    name: 'count by 5 min',
    wantedMs: 25,
    victoriaLogsMs: 23,
    columns: ['_time', 'n'],
    apl: () => '| summarize n = count() by bin(_time, 5m)',
    sql: (_, { bin }) => `SELECT ${bin(5)} AS _time, count(*) AS n FROM events GROUP BY 1`,
    logsQl: () => ({ query: '* | stats by (_time:5m) count() as n' }),
  },
  {
    name: 'count by 5 min and method',
    wantedMs: 60,
    victoriaLogsMs: 61,
    columns: ['_time', 'method', 'n'],
    apl: () => '| summarize n = count() by bin(_time, 5m), method',
    sql: (_, { bin, text }) => `SELECT ${bin(5)} AS _time, ${text('method')} AS method, count(*) AS n FROM events GROUP BY 1, 2`,
    logsQl: () => ({ query: '* | stats by (_time:5m, method) count() as n' }),
  },
  {
    name: 'p95 by hour and region',
    wantedMs: 120,
    victoriaLogsMs: 1549,
    columns: ['_time', 'region', 'q'],
    tolerance: 0.04,
    apl: () => '| summarize q = percentile(duration_ms, 95) by bin(_time, 1h), region',
    sql: (_, { bin, text, number, p95 }) =>
      `SELECT ${bin(60)} AS _time, ${text('region')} AS region, ${p95(number('duration_ms'))} AS q FROM events GROUP BY 1, 2`,
    logsQl: () => ({ query: '* | stats by (_time:1h, region) quantile(0.95, duration_ms) as q' }),
  },
  {
    name: 'top 10 paths',
    wantedMs: 56,
    victoriaLogsMs: 56,
    // Many paths are equally frequent, and VictoriaLogs orders numbers within names by their value, so the paths themselves may differ.
    columns: ['n'],
    isOrdered: true,
    apl: () => '| summarize n = count() by path | sort by n desc, path asc | limit 10',
    sql: (_, { text }) =>
      `SELECT ${text('path')} AS path, count(*) AS n FROM events GROUP BY 1 ORDER BY n DESC, path ASC LIMIT 10`,
    logsQl: () => ({ query: '* | stats by (path) count() as n | sort by (n desc, path) limit 10' }),
  },
  {
    ...COUNT,
    name: 'distinct users',
    wantedMs: 35,
    victoriaLogsMs: 38,
    tolerance: 0.02,
    apl: () => '| summarize n = dcount(user_id)',
    sql: (_, { number, distinct }) => `SELECT ${distinct(number('user_id'))} AS n FROM events`,
    logsQl: () => ({ query: '* | stats count_uniq(user_id) as n' }),
  },
  {
    ...ROWS,
    name: 'a word of one event, with it',
    wantedMs: 15,
    victoriaLogsMs: 6.9,
    apl: ({ needle }) => `| where message has '${needle}' | sort by _time desc | limit ${PAGE_ROWS}`,
    sql: ({ needle }, { text, hasWord }) => newest(`WHERE ${hasWord(text('message'), needle)}`),
    logsQl: ({ needle }) => ({ query: `"${needle}"`, ...NEWEST }),
  },
  {
    ...ROWS,
    name: 'a word of 50 events, with them',
    wantedMs: 42,
    victoriaLogsMs: 42,
    apl: ({ rare }) => `| where message has '${rare}' | sort by _time desc | limit ${PAGE_ROWS}`,
    sql: ({ rare }, { text, hasWord }) => newest(`WHERE ${hasWord(text('message'), rare)}`),
    logsQl: ({ rare }) => ({ query: `"${rare}"`, ...NEWEST }),
  },
  {
    ...COUNT,
    name: 'common word, count',
    wantedMs: 20,
    victoriaLogsMs: 90,
    apl: ({ common }) => `| where message has '${common}' | summarize n = count()`,
    sql: ({ common }, { text, hasWord }) => countOf(`WHERE ${hasWord(text('message'), common)}`),
    logsQl: ({ common }) => counted(`"${common}"`),
  },
  {
    ...COUNT,
    name: 'substring, count',
    wantedMs: 60,
    victoriaLogsMs: 70,
    apl: ({ part }) => `| where message contains '${part}' | summarize n = count()`,
    sql: ({ part }, { text, contains }) => countOf(`WHERE ${contains(text('message'), part)}`),
    logsQl: ({ part }) => counted(`~"${part}"`),
  },
  {
    ...ROWS,
    name: 'one trace id',
    wantedMs: 8,
    victoriaLogsMs: 4.7,
    apl: ({ traceId }) => `| where trace_id == '${traceId}' | sort by _time desc | limit ${PAGE_ROWS}`,
    sql: ({ traceId }, { text }) => newest(`WHERE ${text('trace_id')} = '${traceId}'`),
    logsQl: ({ traceId }) => ({ query: `trace_id:="${traceId}"`, ...NEWEST }),
  },
  {
    name: 'last hour by status',
    wantedMs: 8,
    victoriaLogsMs: 7.2,
    columns: ['status', 'n'],
    from: ({ lastHour }) => lastHour,
    apl: () => '| summarize n = count() by status',
    sql: ({ lastHour }, { number, time }) =>
      `SELECT ${number('status')} AS status, count(*) AS n FROM events WHERE _time >= ${time(lastHour)} GROUP BY 1`,
    logsQl: () => ({ query: '* | stats by (status) count() as n' }),
  },
  {
    name: 'average bytes by host',
    wantedMs: 25,
    victoriaLogsMs: 12,
    columns: ['host', 'a'],
    tolerance: 1e-9,
    apl: () => '| summarize a = avg(bytes) by host',
    sql: (_, { text, number }) => `SELECT ${text('host')} AS host, avg(${number('bytes')}) AS a FROM events GROUP BY 1`,
    logsQl: () => ({ query: '* | stats by (host) avg(bytes) as a' }),
  },
]
