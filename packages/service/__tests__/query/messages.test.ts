/** What `status.messages` tells the author of a query that runs and may not say what was meant. */
import { expect, test } from '@jest/globals'
import { serviceWithEvents } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ALWAYS, apl, ingest, post } from './ask.ts'

/** The first words of what is said, by query. */
const SAID = readCases<Record<string, string[]>>(import.meta.url)

const service = serviceWithEvents({
  web: [
    { _time: '2026-01-01T00:00:00Z', status: 200, path: '/a', old: 1, statuscode: 200, geo: { city: 'Rome' } },
    { _time: '2026-02-01T00:00:00Z', status: 500, path: '/b', duration: 6000.5, status_code: 200 },
  ],
  shop: [{ _time: '2026-02-01T00:00:00Z', old: 'x', sold: 1 }],
})

const FEBRUARY = { startTime: '2026-02-01T00:00:00Z', endTime: '2026-03-01T00:00:00Z' }

const UNBOUNDED = { startTime: '', endTime: '' }

/** Without the message that there is no limit. */
async function messagesOf(text: string, range: object = FEBRUARY): Promise<[code: string, text: string][]> {
  const { status, body } = await apl(service, text, range)
  expect(status).toBe(200)
  return body.status.messages.filter(({ code }) => code !== 'default_limit_warning').map(({ code, msg }) => [code, msg])
}

test('where nothing matches, a field that no event of the range has is named', async () => {
  const absent = (field: string): [string, string] => [
    'unknown_field',
    `no event of the time range has the field "${field}": take a longer range, or look for its name with | getschema`,
  ]
  expect(await messagesOf("['web'] | where old == 1")).toEqual([absent('old')])
  expect(await messagesOf("['web'] | where old == 1 and geo.city == 'Rome' | summarize count() by path")).toEqual([
    absent('old'),
    absent('geo.city'),
  ])
  expect(await messagesOf("['web'] | where old == 1", ALWAYS)).toEqual([])
  expect(await messagesOf("['web'] | where status == 404")).toEqual([])
  expect(await messagesOf("['web'] | where status == 500 | project old")).toEqual([])
})

test('of several datasets one that has the field is enough', async () => {
  expect(await messagesOf("union web, shop | where old == 'y'")).toEqual([])
})

test('a comparison that can never be true, and what is probably meant otherwise, is said', async () => {
  const codes = async (text: string) => (await messagesOf(text)).map(([code]) => code)
  expect(await codes("['web'] | where status == '5xx'")).toEqual(['never_true'])
  expect(await codes("['web'] | where true")).toEqual(['apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata_1'])
  expect(await codes("['web'] | where path == '/b*'")).toEqual(['likely_mistake'])
  expect(await codes("['web'] | where path =~ '/[ab]'")).toEqual(['likely_mistake'])
  expect(await codes("['web'] | summarize percentile(status, 0.95)")).toEqual(['likely_mistake'])
})

/** What the page gets, which asks for all members. */
async function suggestionsFor(text: string, range: object = FEBRUARY) {
  const { body } = await post(service, '/v1/datasets/_apl?include=all', { apl: text, ...range })
  return body.status.messages.flatMap(({ code, suggestion }) => (suggestion === undefined ? [] : [[code, suggestion]]))
}

test('what is to be written instead is there for those who ask for all members, and finds what was meant', async () => {
  const written = "['web'] | where duration > 5s"
  const [[code, suggestion = ''] = []] = await suggestionsFor(written)
  expect([code, suggestion]).toEqual(['likely_mistake', "['web'] | where duration > 5000"])
  expect((await apl(service, suggestion, FEBRUARY)).body.status.rowsMatched).toBe(1)
  const { body } = await apl(service, written, FEBRUARY)
  expect(body.status.messages.filter((message) => 'suggestion' in message)).toEqual([])
})

test('where nothing matches, a field of nearly the same name that events have is suggested', async () => {
  expect(await messagesOf("['web'] | where statuscode == 200")).toEqual([
    ['unknown_field', 'no event of the time range has the field "statuscode": did you mean "status_code"?'],
  ])
  const [[, suggestion = ''] = []] = await suggestionsFor("['web'] | where statuscode == 200 | summarize max(statuscode)")
  expect(suggestion).toBe("['web'] | where status_code == 200 | summarize max(status_code)")
  expect((await apl(service, suggestion, FEBRUARY)).body.tables[0]?.columns).toEqual([[200]])
})

test('a query without a range is told to bound its time, unless it does', async () => {
  const unbounded = await suggestionsFor("['web'] | where status == 500", UNBOUNDED)
  expect(unbounded).toEqual([['missing_time_range', "['web'] | where _time > ago(1h) | where status == 500"]])
  expect((await apl(service, unbounded[0]?.[1] as string, UNBOUNDED)).body.status.rowsMatched).toBe(0)
  expect(await messagesOf("['web'] | where status == 500 and _time > ago(1h)", UNBOUNDED)).toEqual([])
  expect(await messagesOf("['web'] | where _time between (ago(1h) .. now())", UNBOUNDED)).toEqual([])
})

test.each([
  [
    "['web'] | extend n = strrep(path, 1000) | extend n = strrep(n, 1000) | extend n = strrep(n, 1000) | extend n = strrep(n, 1000)",
  ],
  ['print x = strrep(strrep(strrep("x", 1000), 1000), 1000) | project n = strlen(strrep(x, 1000))'],
])('an error of the engine is said in words: %s', async (text) => {
  const { status, body } = await apl(service, text, ALWAYS)
  expect([400, 432]).toContain(status)
  expect(`${body.message} ${body.detail?.message}`).not.toMatch(/error \d+|of the engine/)
})

test('columns have the unit of what they count, for those who ask for all members', async () => {
  await ingest(service, 'timed', [
    { _time: '2026-02-01T00:00:00Z', took_ms: 6_000, trace_id: 'a', span_id: 'b', duration: 5_000_000 },
  ])
  const text = "['timed'] | summarize max(took_ms), n = count(), max(duration) by bin(_time, 1d)"
  const fieldsFor = async (parameters: string) => {
    const { body } = await post(service, `/v1/datasets/_apl${parameters}`, { apl: text, ...FEBRUARY })
    return body.tables.map(({ fields }) => fields.map((field) => [field.name, 'unit' in field ? field.unit : undefined]))
  }
  const known = [
    ['max_took_ms', 'ms'],
    ['n', undefined],
    ['max_duration', 'ns'],
  ]
  expect(await fieldsFor('?include=all')).toEqual([[['_time', undefined], ...known], known])
  expect((await fieldsFor('')).flat().map(([, unit]) => unit)).toEqual(Array(7).fill(undefined))
})

test('a figure that is missing, or 0, because no event has its field says so', async () => {
  const absent = 'no event of the time range has the field "old": take a longer range, or look for its name with | getschema'
  expect(await messagesOf("['web'] | summarize avg(old), count()")).toEqual([['unknown_field', absent]])
  expect(await messagesOf("['web'] | summarize sum(old)")).toEqual([['unknown_field', absent]])
  expect(await messagesOf("['web'] | summarize max(statuscode)")).toEqual([
    ['unknown_field', 'no event of the time range has the field "statuscode": did you mean "status_code"?'],
  ])
  expect(await messagesOf("['web'] | summarize avg(status), stdev(status)")).toEqual([])
  expect(await messagesOf("['web'] | summarize avg(old)", ALWAYS)).toEqual([])
})

test('what an answer lacks, cuts or estimates is said where the answer shows it', async () => {
  const from = '2026-02-01T00:00:00Z'
  const many = Array.from({ length: 3_000 }, (_, n) => ({ _time: from, n, name: `n${n}`, from, version: 'v2' }))
  await ingest(service, 'many', many)
  const said = async (text: string) => (await messagesOf(`['many'] | ${text}`)).map(([, message]) => message.split(' ')[0])
  for (const [text, words] of Object.entries(SAID)) expect([text, await said(text)]).toEqual([text, words])
})
