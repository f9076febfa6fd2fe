/**
 * Annotations and monitors as sources of queries: the same as their lists show, at once, wherever a query takes rows.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { Language } from '@deployment-annotations/contract/language'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { beforeAll, expect, test } from '@jest/globals'
import { serviceForTests } from '../../../../__tests__/support/for-tests.ts'
import { readCases } from '../cases.ts'
import { ask, created, MONITOR, tokenWith } from '../http.ts'
import { apl, ingest, legacy, rowsOf } from './ask.ts'

const DAY = { startTime: '2026-03-02T00:00:00Z', endTime: '2026-03-03T00:00:00Z' }
const CASES = readCases<{
  monitor: object
  annotations: object[]
  fields: { name: string; type: string }[]
  queries: [what: string, text: string, expected: object[]][]
}>(import.meta.url)
const ERRORS = { ...MONITOR, ...CASES.monitor }

const service = serviceForTests()
const made: Annotation[] = []
beforeAll(async () => {
  await ingest(service, 'web', [
    { _time: '2026-03-02T10:00:00Z', status: 200, deploy: 'one' },
    { _time: '2026-03-02T11:00:00Z', status: 500, deploy: 'two' },
  ])
  for (const members of CASES.annotations) made.push(await annotate(members))
})

const annotate = (members: object) => created(service, members)

async function rows(text: string, members: object = DAY) {
  const { status, body } = await apl(service, text, members)
  if (status !== 200) throw new Error(`a query answered ${status} ${JSON.stringify(body)}`)
  return rowsOf(body)
}

test('a query reads the annotations whose span touches its range, each with the members that it is listed with', async () => {
  const { body } = await apl(service, "['_annotations'] | sort by _time asc", DAY)
  const path = `/v2/annotations?start=${DAY.startTime}&end=2026-03-02T23:59:59.999999999Z`
  const { body: whole } = await ask<Annotation[]>(service, 'GET', withAllMembers(path))
  // What follows from them has columns too.
  const derived = [{ restoreMs: 3_600_000 }, { deployed: true, failed: false }, { deployed: true, failed: false }]
  const listed = whole.map(({ time, ...members }, at) => ({ tags: [], ...members, ...derived[at], _time: time }))
  expect(whole).toMatchObject([made[1], made[0], made[2]])
  expect(body.matches.map(({ _time, data }) => ({ ...data, _time }))).toEqual(listed)
  expect(body.datasetNames).toEqual(['_annotations'])
  expect(body.status).toMatchObject({ rowsMatched: 3, messages: [{ code: 'default_limit_warning' }] })
  expect(body.tables[0]?.fields).toEqual(CASES.fields)
})

test('an annotation is there for the query after its create, its change and its delete', async () => {
  const { id } = await annotate({ type: 'fresh', time: '2026-03-02T12:00:00Z' })
  const query = `_annotations | where id == '${id}' | project type, open = isnull(endTime)`
  expect(await rows(query)).toEqual([{ type: 'fresh', open: true }])
  await ask(service, 'PUT', `/v2/annotations/${id}`, { body: { type: 'changed', endTime: '2026-03-02T13:00:00Z' } })
  expect(await rows(query)).toEqual([{ type: 'changed', open: false }])
  await ask(service, 'DELETE', `/v2/annotations/${id}`)
  expect(await rows(query)).toEqual([])
})

test('annotations are counted in bins of time, with totals, and their columns have their types', async () => {
  const { body } = await apl(
    service,
    "['_annotations'] | where type == 'deployment' | summarize count() by bin(_time, 12h), type",
    DAY,
  )
  expect(rowsOf(body)).toEqual([
    { _time: '2026-03-02T00:00:00Z', type: 'deployment', count_: 1 },
    { _time: '2026-03-02T12:00:00Z', type: 'deployment', count_: 1 },
  ])
  expect(rowsOf(body, '_totals')).toEqual([{ type: 'deployment', count_: 2 }])
  expect(body.status).toMatchObject({ rowsMatched: 2, numGroups: 1 })
  expect(
    await rows("['_annotations'] | extend took = endTime - _time | where took == 1h | project took, n = array_length(datasets)"),
  ).toEqual([{ took: 3_600_000_000_000, n: 1 }])
  expect(await rows("['_annotations'] | mv-expand datasets | where tostring(datasets) == 'api' | count")).toEqual([{ count: 1 }])
  expect(await rows("['_annotations'] | getschema | where ColumnName == 'endTime'")).toEqual([
    { ColumnName: 'endTime', ColumnOrdinal: 6, ColumnType: 'datetime' },
  ])
})

test.each(CASES.queries)('%s takes annotations', async (_, text, expected) => {
  expect(await rows(text)).toEqual(expected)
})

test('a pattern of datasets stands for records only where it begins as their names do', async () => {
  expect(await rows('union * | count')).toEqual([{ count: 2 }])
  expect(await rows("search 'one' | count")).toEqual([{ count: 1 }])
  expect(await rows('union _an* | count')).toEqual([{ count: 3 }])
})

test('pages by cursor give every annotation once, also with equal times, and in the legacy form', async () => {
  const time = '2026-04-01T00:00:00Z'
  const ids = await Promise.all(Array.from({ length: 7 }, async () => (await annotate({ type: 'same', time })).id))
  const range = { startTime: '2026-04-01T00:00:00Z', endTime: '2026-04-02T00:00:00Z' }
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await apl(service, '_annotations | sort by _time asc | limit 3', { ...range, cursor })
    expect(body.status.rowsMatched).toBe(7)
    seen.push(...body.matches.map(({ data }) => data.id as string))
    if (body.matches.length < 3) break
    cursor = body.status.maxCursor
  }
  expect(seen.toSorted()).toEqual(ids.toSorted())
  const page = await legacy(service, '_annotations', { ...range, limit: 2, order: [{ field: '_time', desc: true }] })
  expect(page.body.matches.map(({ _rowId, data }) => [_rowId === '', data.type])).toEqual([
    [false, 'same'],
    [false, 'same'],
  ])
})

test('monitors are rows of all ranges, with what they are listed with', async () => {
  const { body: monitor } = await ask<Monitor>(service, 'POST', '/v2/monitors', { body: ERRORS })
  const { body } = await apl(service, "['_monitors']", DAY)
  const { type, ...members } = monitor
  expect(body.matches.map(({ data }) => data)).toEqual([{ type, ...members }])
  expect(body.matches[0]?._time).toBe(monitor.createdAt)
  expect(
    await rows("_monitors | where ['state.status'] == 'disabled' and not(alertOnNoData) | project threshold, intervalMinutes"),
  ).toEqual([{ threshold: 1.5, intervalMinutes: 5 }])
})

test('a token reads by query what it may list, and is told which permission it lacks', async () => {
  const [narrow, wide] = await Promise.all([
    tokenWith(service, ['query|read']),
    tokenWith(service, ['query|read', 'annotations|read']),
  ])
  const asked = (token: string, text: string) => apl({ ...service, token }, text, DAY)
  for (const text of ["['_annotations']", 'web | union _annotations', 'web | where deploy in (_annotations | project title)']) {
    const { status, body } = await asked(narrow, text)
    expect([status, body.message]).toEqual([
      403,
      expect.stringMatching(/^token tok_\w+ lacks the permission annotations\|read to query \['_annotations'\]$/),
    ])
    expect((await asked(wide, text)).status).toBe(200)
  }
  expect((await asked(wide, '_monitors')).body.message).toContain("monitors|read to query ['_monitors']")
  expect((await legacy({ ...service, token: narrow }, '_annotations')).status).toBe(403)
})

test('a monitor may watch annotations, if who makes it may list them', async () => {
  await annotate({ type: 'outage', time: new Date().toISOString() })
  const body = { ...ERRORS, aplQuery: "_annotations | where type == 'outage'", threshold: 0, datasets: ['web'], disabled: false }
  const token = await tokenWith(service, ['monitors|create', 'monitors|update'])
  expect((await ask(service, 'POST', '/v2/monitors', { body, token })).status).toBe(403)
  const { body: monitor } = await ask<Monitor>(service, 'POST', '/v2/monitors', { body })
  const state = async () => (await ask<Monitor>(service, 'GET', `/v2/monitors/${monitor.id}`)).body.state
  for (let tries = 0; (await state()).status === 'pending' && tries < 100; tries++)
    await new Promise((done) => setTimeout(done, 50))
  expect(await state()).toMatchObject({ status: 'triggered', lastValue: 1 })
  const change = { body: { aplQuery: '_annotations | where type == "x"' }, token }
  expect((await ask(service, 'PUT', `/v2/monitors/${monitor.id}`, change)).status).toBe(403)
  const unnamed = await ask<{ message: string }>(service, 'POST', '/v2/monitors', { body: { ...body, datasets: null } })
  expect([unnamed.status, unnamed.body.message]).toEqual([422, expect.stringContaining('datasets is required')])
})

test('no dataset can have such a name, and the language says which there are', async () => {
  expect((await ask(service, 'POST', '/v2/datasets', { body: { name: '_annotations' } })).status).toBe(422)
  expect((await ask(service, 'POST', '/v1/datasets/_annotations/ingest', { body: [{}] })).status).toBeGreaterThanOrEqual(400)
  const { body } = await ask<Language>(service, 'GET', '/v2/language')
  expect(body.sources.map(({ name, fields }) => [name, fields[0]])).toEqual([
    ['_annotations', { name: '_time', type: 'datetime' }],
    ['_monitors', { name: '_time', type: 'datetime' }],
  ])
  const misspelled = await apl(service, '_anotations | count')
  expect([misspelled.status, misspelled.body.message]).toEqual([404, expect.stringContaining('did you mean "_annotations"?')])
})
