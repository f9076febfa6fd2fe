/** From answers to a comparison: what is asked, how tables are read, and what people are told. */
import { expect, test } from '@jest/globals'
import { chooseQueries } from '../src/around.ts'
import { findCarriers } from '../src/carriers.ts'
import type { AnsweredTable } from '../src/columns.ts'
import { type Answer, type Ask, type CompareOptions, type Comparison, compare } from '../src/comparison.ts'
import { defaultQueries, findRates } from '../src/default-queries.ts'
import { JUDGE_DEFAULTS } from '../src/judge.ts'
import { findCounted, type NamedQuery, parseBaseline, parseQueries } from '../src/named-queries.ts'
import { toMarkdown, toText } from '../src/report.ts'
import { isFilled } from '../src/series.ts'
import type { KnownField } from '../src/signs.ts'
import { type NamedSeries, readSeries } from '../src/tables.ts'
import { toReport } from '../src/to-report.ts'
import { formatSpan, type Span, waitBefore, windowsAround } from '../src/windows.ts'
import { createChance } from './support/random.ts'

const MINUTE = 60_000
const atMs = Date.parse('2026-01-31T12:00:30Z')
const event = { startMs: atMs, endMs: atMs }
const lengths = { afterMs: 11 * MINUTE, beforeMs: 60 * MINUTE, seasonsMs: [] }
const options: CompareOptions = {
  windows: windowsAround(event, lengths, atMs + 24 * 60 * MINUTE),
  direction: 'higher-is-worse',
  ...JUDGE_DEFAULTS,
}
const reportOf = (comparison: Comparison) => toReport(comparison, { judgedMs: atMs })
const queries = (text: string) => parseQueries(text).queries

/** What a service answers to a query by minute: a row for each minute that `valuesOf` knows. */
function answerByMinute(
  agg: string,
  groups: readonly string[],
  valueAt: (minute: number, group: string) => number | undefined,
): Answer {
  const rows = Array.from({ length: 110 }, (_, at) => at - 61).flatMap((minute) =>
    groups.flatMap((group) => {
      const value = valueAt(minute, group)
      const time = new Date(Date.parse('2026-01-31T12:00:00Z') + minute * MINUTE).toISOString()
      return value === undefined ? [] : [{ time, group, value }]
    }),
  )
  const byGroup = groups.length > 1
  return {
    status: { isPartial: false },
    tables: [
      {
        fields: [{ name: '_time' }, ...(byGroup ? [{ name: 'path' }] : []), { name: 'n', agg: { name: agg } }],
        groups: byGroup ? [{ name: 'path' }] : [],
        buckets: { field: '_time', size: 60_000_000_000 },
        columns: [
          rows.map(({ time }) => time),
          ...(byGroup ? [rows.map(({ group }) => group)] : []),
          rows.map(({ value }) => value),
        ],
      },
    ],
  }
}

test('the season is asked as a range of the same length, so that its buckets have the same size', async () => {
  const asked: string[] = []
  const ask: Ask = async (_query, range) => {
    asked.push(range.startTime)
    return answerByMinute('avg', [''], () => 1)
  }
  await compare(ask, queries("n: ['web']"), {
    ...options,
    windows: windowsAround(event, { ...lengths, seasonsMs: [24 * 60 * MINUTE] }, atMs * 2),
  })
  expect(asked).toEqual(['2026-01-31T11:00:30Z', '2026-01-30T11:00:30Z'])
})

/** Answers by minute of a fortnight in which 2 of 200 fail, and after the event more; it keeps what was asked. */
function answerFortnight(eventMs: number, harmAt: (ms: number) => boolean = () => false) {
  const asked: string[] = []
  const ask: Ask = async ({ apl }, { startTime, endTime }) => {
    asked.push(`${startTime} ${endTime}`)
    const [startMs, endMs] = [Date.parse(startTime), Date.parse(endTime)]
    const size = apl.includes('auto') ? (endMs - startMs) / 60 : MINUTE
    const starts = Array.from({ length: (endMs - startMs) / size }, (_, at) => Math.ceil(startMs / size) * size + at * size)
    const failedAt = (ms: number) => createChance(ms / MINUTE).poisson(ms >= eventMs ? 7 : harmAt(ms) ? 20 : 2)
    return {
      status: { isPartial: false },
      tables: [
        {
          fields: [{ name: '_time' }, { name: 'failed', agg: { name: 'countif' } }, { name: 'all', agg: { name: 'count' } }],
          groups: [],
          buckets: { field: '_time', size: size * 1_000_000 },
          columns: [starts.map((ms) => new Date(ms).toISOString()), starts.map(failedAt), starts.map(() => 200)],
        },
      ],
    }
  }
  return { ask, asked }
}

const DAY = 24 * 60 * MINUTE
const toDay = (span = '') => span.replaceAll('T00:00:00Z', '').replaceAll('2026-', '')

test.each([
  ['at noon', '2026-01-31T12:00:00Z', '01-17 01-18', '01-30 01-31', 14],
  ['soon after midnight', '2026-01-31T00:02:00Z', '01-17 01-18', '01-30 01-31', 14],
  ['just before midnight', '2026-01-31T23:55:00Z', '01-17 01-18', '01-31 02-01', 15],
])(
  'of an event %s, whole days are asked that are over, and its text says what was at earlier moments',
  async (_, time, first, last, days) => {
    const eventMs = Date.parse(time)
    const { ask, asked } = answerFortnight(eventMs)
    const windows = windowsAround({ startMs: eventMs, endMs: eventMs }, { ...lengths, afterMs: 10 * MINUTE }, eventMs + DAY)
    const comparison = await compare(ask, queries("errors: ['web']"), { ...options, windows, pastMs: 14 * DAY })
    expect(comparison.series[0]).toMatchObject({ verdict: 'worse', earlier: { moments: 300, reached: 0 } })
    expect(reportOf(comparison).text).toMatch(/ That is more than at any of 300 earlier moments\.$/)
    const past = asked.filter((span) => /T00:00:00Z .*T00:00:00Z/.test(span))
    expect([toDay(past[0]), toDay(past.at(-1)), past.length]).toEqual([first, last, days])
  },
)

test.each([
  ['fewer without the time that a release hurt', 'bin(_time, 1m)', [{ startMs: atMs - 9 * DAY, endMs: atMs - DAY }], 150, 15],
  ['none with buckets of another length, after a day', 'bin_auto(_time)', [], undefined, 2],
])('of earlier moments there are %s', async (_, bin, hurtSpans, moments, count) => {
  const { ask, asked } = answerFortnight(atMs, (ms) => ms > atMs - 9 * DAY)
  const { series } = await compare(ask, queries(`errors: ['web'] | ${bin}`), { ...options, hurtSpans, pastMs: 14 * DAY })
  expect([series[0]?.earlier?.moments, asked.length]).toEqual([moments, count])
})

test('of the past a day without an answer, and the hours until the event, are empty', async () => {
  const { ask } = answerFortnight(atMs)
  const answer = async (startMs: number, endMs: number) => {
    const { tables } = await ask({ name: '', apl: '' }, formatSpan({ startMs, endMs }))
    return { table: tables[0] as AnsweredTable, span: { startMs, endMs } }
  }
  const noonMs = Date.parse('2026-01-31T12:00:00Z')
  const [before, after] = [await answer(noonMs - 60 * MINUTE, noonMs), await answer(noonMs, noonMs + 10 * MINUTE)]
  const past = [await answer(noonMs - 3.5 * DAY, noonMs - 2.5 * DAY), await answer(noonMs - 1.5 * DAY, noonMs - 0.5 * DAY)]
  const [{ series }] = readSeries({ before, after, seasons: [], past }) as [NamedSeries]
  const filled = series.past?.map((bucket) => Number(isFilled('share', bucket))).join('')
  expect(filled).toBe('1'.repeat(1_440) + '0'.repeat(1_440) + '1'.repeat(1_440) + '0'.repeat(720))
})

test('minutes without a row are zero for a count, and a group that is new counts as none before', async () => {
  const ask: Ask = async () =>
    answerByMinute('count', ['/a', '/b'], (minute, group) => (group === '/a' || minute > 0 ? 20 : undefined))
  const { series } = await compare(ask, queries("n: ['web']"), options)
  expect(series.map(({ name, verdict, before, after }) => ({ name, verdict, before, after }))).toEqual([
    { name: 'n · /a', verdict: 'same', before: 20, after: 20 },
    { name: 'n · /b', verdict: 'worse', before: 0, after: 20 },
  ])
})

test('the groups with most in them are judged, and the rest is mentioned', async () => {
  const groups = Array.from({ length: 25 }, (_, at) => `/${at}`)
  const ask: Ask = async () => answerByMinute('count', groups, (_minute, group) => 20 + Number(group.slice(1)))
  const { series, notes } = await compare(ask, queries("n: ['web']"), options)
  expect(series).toHaveLength(20)
  expect(series[0]?.name).toBe('n · /24')
  expect(notes).toEqual(['The query “n” has 25 series; the 20 with most in them were judged.'])
})

const full = { code: 'missing_events', msg: 'the disk of the service is full' }
const license = { code: 'license_limit_for_query_warning', msg: 'the interval is longer than the license' }
const range = { code: 'missing_time_range', msg: 'no startTime' }

test.each([
  [
    'events that cannot be found now',
    [range, full],
    'The query “n” may have been answered without some events: the disk of the service is full. Compare again when that is over.',
  ],
  [
    'what the service says',
    [range, license],
    'The query “n” was answered in part only. The service said: no startTime; the interval is longer than the license.',
  ],
  [
    'nothing known',
    undefined,
    'The query “n” was answered in part only. The service did not say why. Where it is too much to read, a filter or a shorter window helps.',
  ],
])('an answer in part is refused, with its reason: %s', async (_, messages, message) => {
  const ask: Ask = async () => ({ tables: [], status: { isPartial: true, ...(messages && { messages }) } })
  await expect(compare(ask, queries("n: ['web']"), options)).rejects.toThrow(message)
})

test('an answer without rows is mentioned', async () => {
  const empty: Ask = async () => answerByMinute('count', [''], () => undefined)
  expect(await compare(empty, queries("n: ['web']"), options)).toMatchObject({
    verdict: 'inconclusive',
    notes: ['The query “n” answered nothing in either window.'],
  })
})

test('names from data cannot act in a summary', async () => {
  const groups = ['<img src=x>|`', '[a](b)\n# **x**']
  const ask: Ask = async () => answerByMinute('count', groups, () => 20)
  const markdown = toMarkdown(reportOf(await compare(ask, queries("n: ['web']"), { ...options, event: 'v1 <b>' })))
  expect(markdown.replace(/<\/?(?:details|summary)>/g, '')).not.toMatch(/<|\n# |\*\*|\[a\]/)
  expect(markdown.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(4)
})

test('lines for a terminal are aligned', async () => {
  const ask: Ask = async ({ name }) =>
    answerByMinute('avg', [''], (minute) => (name === 'slow' && minute > 0 ? 2_000 : 1_000 + (minute % 7)))
  const comparison = await compare(ask, queries("slow: ['web']\nsteady: ['web']"), { ...options, event: 'v1' })
  expect(toText(reportOf(comparison), (text) => text)).toEqual([
    'v1: Slow doubled: 997 → 2,000',
    `worse      slow    997  2,000  ×2 to ×2.01  ${'▄'.repeat(20)}│████`,
    `no change  steady  997  1,003  0 to +1 %    ${'█'.repeat(20)}│████`,
  ])
})

test('it is waited until the window is over and its events have arrived, and no longer than allowed', () => {
  const waited = (lag: number, most: number, nowMs = atMs) =>
    waitBefore(event, { ...lengths, nowMs, untilMs: nowMs + most * MINUTE, lagMs: lag * MINUTE }) / MINUTE
  expect([waited(0.5, 60), waited(6.5, 60), waited(6.5, 1), waited(0.5, 60, atMs + 24 * 60 * MINUTE)]).toEqual([11.5, 17.5, 1, 0])
})

test('queries are lines with names, and lines that go on with them', () => {
  const text = `
errors: ['web'] | where url == 'a: b'
| summarize count()

throughput (lower-is-worse):
  ['web']
  | count`
  expect(parseQueries(text)).toEqual({
    problems: [],
    queries: [
      { name: 'errors', apl: "['web'] | where url == 'a: b'\n| summarize count()" },
      { name: 'throughput', apl: "['web']\n| count", direction: 'lower-is-worse' },
    ],
  })
  expect(parseQueries("['web'] | where url == 'a: b'").queries).toEqual([
    { name: 'query 1', apl: "['web'] | where url == 'a: b'" },
  ])
})

test('the events that a query counts by a condition are those that pass it', () => {
  const condition = "tolower(tostring(x)) in ('(', ')')"
  const apl = `['web'] | where a == '|' | summarize failed = countif( ${condition} ), n = count()`
  expect(findCounted(apl)).toBe(`['web'] | where a == '|'\n| where ${condition}`)
})

const MARKED = Date.parse('2026-01-31T12:00:30Z')
/** Errors double three minutes after the event, at the other mark. */
const doubling: Ask = async () => answerByMinute('avg', [''], (minute) => (minute >= 4 ? 200 : 100) + (minute % 7))

test('where enough is left without it, the time ends at another mark', async () => {
  const marks = [{ name: 'web 2.15.0', startMs: MARKED + 9 * MINUTE, endMs: MARKED + 9 * MINUTE }]
  const late: Ask = async () => answerByMinute('avg', [''], (minute) => (minute >= 10 ? 900 : 100) + (minute % 7))
  const comparison = await compare(late, queries("n: ['web']"), { ...options, event: 'api 7.3.2', marks })
  expect(comparison.verdict).not.toBe('worse')
  expect(comparison.windows.after.endTime).toBe('2026-01-31T12:09:30Z')
  expect(reportOf(comparison).text).toMatch(/ Cut off at “web 2\.15\.0”\.$/)
})

test('a fix soon after a harmful release is compared with the time before that one', async () => {
  const bad = { name: 'web 2.14.0', startMs: MARKED - 6 * MINUTE, endMs: MARKED - 6 * MINUTE, isHarmful: true }
  const latency = (after: number): Ask => {
    return async () => answerByMinute('avg', [''], (minute) => (minute < -5 ? 100 : minute < 1 ? 300 : after) + (minute % 7))
  }
  const fixed = (after: number) => compare(latency(after), queries("n: ['web']"), { ...options, marks: [bad] })
  expect((await fixed(100)).series).toMatchObject([{ verdict: 'same', before: expect.closeTo(100, -1) }])
  // What goes on is no harm of the second one.
  expect((await fixed(300)).series).toMatchObject([
    { verdict: 'inconclusive', lack: expect.stringContaining('it began with “web 2.14.0”'), carriedBy: { name: 'web 2.14.0' } },
  ])
})

test('a mark that is three minutes late is no excuse: what changed before it is found, and it is said since when', async () => {
  const early: Ask = async () => answerByMinute('avg', [''], (minute) => (minute >= -2 ? 200 : 100) + (minute % 7))
  const said = async (ask: Ask) => reportOf(await compare(ask, queries("n: ['web']"), options)).text
  expect(await said(early)).toMatch(/^N doubled: 97 → 203, from 11:58 UTC on, before the release\.$/)
  expect(await said(doubling)).not.toContain('began')
})

test.each<[string, after: number[], carriers: string[]]>([
  ['evenly, as far as so few events can tell', [9, 16, 8], []],
  ['on one route', [5, 24, 4], ['/b']],
])('a change is carried by a value if chance does not explain its part: errors doubled %s', async (_, after, carriers) => {
  const ask = async (_apl: string, { startMs }: Span) => ({
    fields: [{ name: 'value' }, { name: 'events', agg: { name: 'count' } }],
    groups: [{ name: 'value' }],
    columns: [['/a', '/b', '/c'], startMs < atMs ? [30, 31, 29] : after],
  })
  const { windows } = options
  const [query] = queries("errors: ['web'] | summarize failed = countif(status >= 500), n = count() by bin(_time, 1m)")
  const found = await findCarriers(ask, query as NamedQuery, [{ name: 'route', type: 'string' }], windows)
  expect(found.map(({ value }) => value)).toEqual(carriers)
})

test('an uneven time before is explained by the mark in it', async () => {
  const marks = [{ name: 'api 7.3.1', startMs: MARKED - 5 * MINUTE, endMs: MARKED - 5 * MINUTE }]
  const uneven: Ask = async () => answerByMinute('avg', [''], (minute) => 100 + 60 * Math.sin(minute / 9) + (minute % 5) * 3)
  const { series } = await compare(uneven, queries("n: ['web']"), { ...options, marks })
  expect(series[0]).toMatchObject({ verdict: 'inconclusive', isUneven: true })
  expect(series[0]?.lack).toMatch(/with api 7\.3\.1 at 11:55 UTC in it$/)
})

test('a bare count has no direction, unless somebody says one', async () => {
  const ask: Ask = async () => answerByMinute('count', [''], (minute) => (minute > 0 ? 30 : 100))
  expect((await compare(ask, queries("n: ['web']"), options)).verdict).toBe('better')
  const { direction: _left, ...undirected } = options
  expect((await compare(ask, queries("n: ['web']"), undirected)).verdict).toBe('lower')
  expect((await compare(ask, queries("n (lower-is-worse): ['web']"), undirected)).verdict).toBe('worse')
})

test('what is gone is said as nothing, and never as 0', async () => {
  const ask: Ask = async () => answerByMinute('percentiles', [''], (minute) => (minute > 1 ? undefined : 155 + (minute % 3)))
  const comparison = await compare(ask, queries("latency: ['web']"), options)
  expect(comparison.verdict).toBe('gone')
  const [sentence, row] = toText(reportOf(comparison), (text) => text)
  expect(sentence).toBe(': No data for latency: 154 → nothing')
  expect(row).toMatch(/^gone {2}latency {2}154 {2}nothing {2}/)
})

test.each([
  ['at the same minute and some minutes later', [3, 8], 'inconclusive'],
  ['minutes before the release, and minutes after the window', [-6, 24], 'inconclusive'],
  ['on the only day on which it was there', [3, -61], 'inconclusive'],
  ['on one of two days', [3, 99], 'gone'],
  ['three quarters of an hour later', [46, 47], 'gone'],
])('a service that stops is gone unless other days stop then, too: %s', async (_, [yesterday, lastWeek], verdict) => {
  const stops: Record<string, number | undefined> = { '2026-01-31': 3, '2026-01-30': yesterday, '2026-01-24': lastWeek }
  const ask: Ask = async ({ name }, { startTime }) => {
    const day = startTime.slice(0, 10)
    // The health checks that are left are quick, which is no better.
    const [aggregation, left] = name === 'n' ? (['count', undefined] as const) : (['percentile', 2] as const)
    const answer = answerByMinute(aggregation, [''], (minute) => (minute < (stops[day] ?? 0) ? 100 : left))
    const [table] = answer.tables as [AnsweredTable]
    const [times = [], values = []] = table.columns
    return { ...answer, tables: [{ ...table, columns: [times.map((time) => day + String(time).slice(10)), values] }] }
  }
  const windows = windowsAround(event, { ...lengths, seasonsMs: [24 * 60 * MINUTE, 7 * 24 * 60 * MINUTE] }, atMs * 2)
  const asked = queries("n (lower-is-worse): ['web'] | summarize count()\np95: ['web'] | summarize percentile(ms, 95)")
  const { series } = await compare(ask, asked, { ...options, windows })
  expect(series).toMatchObject([{ verdict }, { verdict: 'inconclusive' }])
})

test('a baseline is the beginning of each query, or a query of the same name', () => {
  const canary = queries("errors: ['shop'] | where version == 'a|b' | summarize f = countif(x), n = count() by bin(_time, 1m)")
  expect(parseBaseline("['shop'] | where version == 'stable'", canary)).toEqual({
    problems: [],
    baselines: new Map([
      [
        'errors',
        {
          name: 'errors',
          apl: "['shop'] | where version == 'stable'\n| summarize f = countif(x), n = count() by bin(_time, 1m)",
        },
      ],
    ]),
  })
  expect(parseBaseline("latency: ['shop'] | summarize avg(ms) by bin(_time, 1m)", canary).problems).toEqual([
    '"errors" has nothing to be compared with: give a query of this name',
  ])
})

test.each([
  ['nothing before', '1.0.0 api 5000 300, 1.1.0 api 0 60, 9 cart 9000 900', ['1.1.0', '1.0.0']],
  ['one version only', '1.0.0 api 5000 400', undefined],
  ['two that ran before, too', '1.0.0 api 5000 300, 1.1.0 api 900 60', undefined],
  ['an old one that has all but ended', '1.0.0 api 5000 21, 1.1.0 api 0 700', undefined],
  ['a new one of another service', '1.0.0 api 5000 300, 1.1.0 cart 0 60', undefined],
])('a new version is asked beside the old one of its service: %s', async (_, text, expected) => {
  const fields = ['status', 'version', 'service'].map((name) => ({ name, type: name === 'status' ? 'integer' : 'string' }))
  const rows = text.split(', ').map((row) => row.split(' ').map((cell, at) => (at < 2 ? cell : Number(cell))))
  const ask: Ask = async ({ name, apl }) => {
    const isOfVersions = name === 'versions'
    const names = isOfVersions
      ? ['value0', 'value1', 'before', 'late']
      : Array.from(apl.matchAll(/(\w+) = count/g), ([, of = '']) => of)
    const columns = names.map((__, at) => (isOfVersions ? rows.map((row) => row[at]) : [1_000]))
    return { status: { isPartial: false }, tables: [{ fields: names.map((of) => ({ name: of })), groups: [], columns }] }
  }
  const asking = { ask, windows: options.windows, afterMs: 10 * MINUTE, fieldsOf: async () => fields }
  const found = (await chooseQueries(['web'], asking)).filter(({ beside }) => beside)
  expect(found.map(({ name, beside }) => [name.replace('web errors of ', ''), beside?.name])).toEqual(expected ? [expected] : [])
  for (const { apl } of found) expect(apl).toContain("| where tostring(version) == '1.1.0' and tostring(service) == 'api'")
})

test('what is looked at where nobody says follows from names and types of fields', () => {
  const fields = [
    { name: 'http.status_code', type: 'integer' },
    { name: 'duration_ms', type: 'float|integer' },
  ]
  const asked = (more: readonly KnownField[] = [], source = "['shop']") => ({
    name: 'shop',
    source,
    fields: [...fields, ...more],
  })
  expect(defaultQueries(asked(), '1m').map(({ name, apl, direction }) => [name, direction, ...apl.split('\n').slice(1)])).toEqual(
    [
      ['shop traffic', undefined, '| summarize requests = count() by bin(_time, 1m)'],
      [
        'shop errors',
        'higher-is-worse',
        "| where ['http.status_code'] between (100 .. 599)",
        "| summarize failed = countif(['http.status_code'] between (500 .. 599)), requests = count() by bin(_time, 1m)",
      ],
      [
        'shop duration_ms',
        'higher-is-worse',
        '| summarize p50 = percentile(duration_ms, 50), p95 = percentile(duration_ms, 95), p99 = percentile(duration_ms, 99) by bin(_time, 1m)',
      ],
    ],
  )
  // A key with dots in it, as loggers write it, is listed with backslashes.
  const flat = [{ name: 'http\\.status_code', type: 'integer' }]
  expect(findRates({ source: "['shop']", fields: flat }).errors?.failed).toBe("['http.status_code'] between (500 .. 599)")
  // Somebody who defines a field for it knows better.
  const virtual = ['failed', 'latency_ms', 'other'].map((name) => ({ name, type: '', isVirtual: true }))
  expect(
    defaultQueries(asked(virtual), '1m')
      .slice(1)
      .map(({ apl }) => apl),
  ).toEqual([expect.stringContaining('countif(failed == true)'), expect.stringContaining('percentile(latency_ms, 95)')])
  // A filter in force on the failed ones leaves no share of them.
  const filtered = defaultQueries(asked([], "['shop'] | where http.status_code == 500"), '1m').slice(1)
  expect(filtered.map(({ name }) => name)).toEqual(['shop duration_ms'])
})

test('where all percentiles change a thousandfold it is the unit that changed', async () => {
  const of =
    (after: number): Ask =>
    async () => {
      const answer = answerByMinute('percentiles', [''], (minute) => (minute > 0 ? after : 212) + (minute % 3) * after * 0.01)
      const [table] = answer.tables as [AnsweredTable]
      const [time, n] = table.fields
      const fields = [time, n, { ...n, name: 'p99' }] as AnsweredTable['fields']
      const more = table.columns[1]?.map((value) => Number(value) * (after > 1_000 ? 0.5 : 4))
      return { ...answer, tables: [{ ...table, fields, columns: [...table.columns, more ?? []] }] }
    }
  const seconds = await compare(of(0.212), queries("n: ['web']"), options)
  expect(seconds.verdict).toBe('inconclusive')
  expect(seconds.series[0]?.lack).toBe('all percentiles are 1,000 times smaller since the release, as if the unit had changed')
})

test('of a service that began minutes ago it is said how little there was before', async () => {
  const young: Ask = async () => answerByMinute('avg', [''], (minute) => (minute >= -6 ? 100 + (minute % 7) * 9 : undefined))
  const { series } = await compare(young, queries("n: ['web']"), options)
  expect(series[0]?.lack).toBe('3 values before, needs 8')
})

test('a countif of a service that is gone is gone, though fewer errors are better', async () => {
  const errors: Ask = async () => answerByMinute('countif', [''], (minute) => (minute > 1 ? undefined : 3))
  expect((await compare(errors, queries("n: ['web']"), options)).verdict).toBe('gone')
  const fixed: Ask = async () => answerByMinute('countif', [''], (minute) => (minute > 0 ? 0 : 9))
  expect((await compare(fixed, queries("n: ['web']"), options)).verdict).toBe('better')
})

test('an old version that a new one replaced is not gone', async () => {
  const ask: Ask = async () =>
    answerByMinute('avg', ['v1', 'v2'], (minute, group) => ((group === 'v1') === minute < 1 ? 100 + (minute % 7) : undefined))
  const { verdict, series } = await compare(ask, queries("n: ['web']"), options)
  expect(verdict).toBe('inconclusive')
  expect(series.find(({ name }) => name === 'n · v1')?.lack).toBe('replaced by n · v2')
})

test('events that are some minutes late are not gone', async () => {
  const late: Ask = async () => answerByMinute('count', [''], (minute) => (minute > 7 ? undefined : 100))
  expect((await compare(late, queries("n: ['web']"), { ...options, direction: 'lower-is-worse' })).verdict).not.toBe('gone')
})

test('another day that is answered in part is left out', async () => {
  const ask: Ask = async (_query, { startTime }) => {
    const answer = answerByMinute('avg', [''], (minute) => 100 + (minute % 7))
    return startTime.startsWith('2026-01-31') ? answer : { ...answer, status: { isPartial: true } }
  }
  const windows = windowsAround(event, { ...lengths, seasonsMs: [24 * 60 * MINUTE] }, atMs * 2)
  const { series } = await compare(ask, queries("n: ['web']"), { ...options, windows })
  expect(series).toMatchObject([{ verdict: 'same', seasons: 0 }])
})

test('a measurement is said in the unit that the name of its field tells', async () => {
  const [ofLength, ofSize, ofSpans] = [
    { field: 'duration_ms', from: 400, to: 2_500 },
    { field: 'body_bytes_sent', from: 1_500, to: 2_000_000 },
    { field: 'duration', from: 5_000_000, to: 60_000_000, unit: 'ns' as const },
  ].map(
    ({ field, from, to, unit }): Ask =>
      async () => {
        const answer = answerByMinute('percentiles', [''], (minute) => (minute < 0 ? from : to) + Math.abs(minute % 3))
        const [table] = answer.tables
        const fields =
          table?.fields.map((one) => (one.agg ? { ...one, unit, agg: { name: one.agg.name, fields: [field] } } : one)) ?? []
        return { ...answer, tables: [{ ...table, fields } as Answer['tables'][number]] }
      },
  ) as [Ask, Ask, Ask]
  const said = async (ask: Ask) => reportOf(await compare(ask, queries("p95: ['web']"), options)).text
  expect(await said(ofLength)).toContain('401 ms → 2.5 s')
  expect(await said(ofSize)).toContain('1.5 kB → 2 MB')
  // The service knows that these are the lengths of spans.
  expect(await said(ofSpans)).toContain('5 → 60 ms')
})
