/**
 * `runChecks(module, name)`: what a program that uses @axiomhq/js, of one version of it, asks of the service and reads in the answers;
 * each check is one line of the result.
 * Deliberately not here: which versions, which the suite `axiom-js` says; and what the package has no call for, which the service's own
 * tests ask.
 */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'

const { AXIOM_URL: url, AXIOM_TOKEN: token } = process.env
const DAY = { startTime: '2026-11-20T00:00:00Z', endTime: '2026-11-21T00:00:00Z' }
const METHODS = ['GET', 'GET', 'POST', 'PUT']
/** Three hours of a day, eight events in each. */
const EVENTS = Array.from({ length: 24 }, (_, n) => ({
  _time: new Date(Date.parse('2026-11-20T10:00:00Z') + n * 450_000).toISOString(),
  n,
  method: METHODS[n % 4],
  path: `/items/${n % 3}`,
  geo: { city: n % 2 ? 'Oslo' : 'Rome' },
}))
const NUMBERS = EVENTS.map(({ n }) => n)

/** @returns how many of the checks held, and what the others said */
export async function runChecks({ AxiomWithoutBatching, Axiom, ContentType, ContentEncoding }, version) {
  const axiom = new AxiomWithoutBatching({ token, url, orgId: 'any' })
  const web = `web-${version}`
  const tabular = (apl, options = {}) => axiom.query(apl, { ...DAY, format: 'tabular', ...options })
  const legacy = (apl, options = {}) => axiom.query(apl, { ...DAY, format: 'legacy', ...options })
  const failures = []
  let passed = 0
  const check = async (name, run) => {
    try {
      await run()
      passed++
    } catch (error) {
      failures.push(`${version}: ${name}: ${error.message.split('\n').slice(0, 12).join(' ')}`)
    }
  }
  const context = { axiom, Axiom, ContentType, ContentEncoding, version, web, tabular, legacy, check }
  for (const part of [checkDatasets, checkIngest, checkTables, checkRows, checkLegacy, checkMarks, checkMonitors])
    await part(context)
  return { passed, failures }
}

const namesOf = (list) => list.map(({ name }) => name)
const columnsOf = (table) => Object.fromEntries(table.fields.map(({ name }, at) => [name, table.columns[at]]))

async function checkDatasets({ axiom, web, check }) {
  await check('the owner of the token', async () => assert.match((await axiom.users.current()).id, /./))
  await check('a dataset is made', async () => {
    const made = await axiom.datasets.create({ name: web, description: 'requests' })
    assert.deepEqual([made.id, made.name, made.description, made.kind], [web, web, 'requests', 'axiom:events:v1'])
  })
  await check('it is got', async () => assert.equal((await axiom.datasets.get(web)).description, 'requests'))
  await check('it is listed', async () => assert.ok((await axiom.datasets.list()).some(({ name }) => name === web)))
  await check('it is changed', async () =>
    assert.equal((await axiom.datasets.update(web, { description: 'changed' })).description, 'changed'),
  )
  await check('one that is not there is not found', () => assert.rejects(axiom.datasets.get('absent'), /not found/i))
  await check('map fields', async () => assert.deepEqual(await axiom.datasets.mapFields(web), []))
}

async function checkIngest({ axiom, Axiom, ContentType, ContentEncoding, web, tabular, check }) {
  const other = `${web}-forms`
  const ingestRaw = (data, type, encoding, options) => axiom.ingestRaw(other, data, type, encoding, options)
  await check('events', async () => {
    const { ingested, failed, failures } = await axiom.ingest(web, EVENTS)
    assert.deepEqual([ingested, failed, failures], [24, 0, []])
  })
  await check('NDJSON', async () => {
    const { ingested, processedBytes } = await ingestRaw('{"a":1}\n{"a":2}\n', ContentType.NDJSON, ContentEncoding.Identity)
    assert.deepEqual([ingested, processedBytes], [2, 16])
  })
  await check('CSV', async () =>
    assert.equal((await ingestRaw('a;b\n3;x\n', ContentType.CSV, ContentEncoding.Identity, { csvDelimiter: ';' })).ingested, 1),
  )
  await check('gzip', async () =>
    assert.equal((await ingestRaw(gzipSync('[{"a":4}]'), ContentType.JSON, ContentEncoding.GZIP)).ingested, 1),
  )
  await check('a time of its own form', async () => {
    const options = { timestampField: 'at', timestampFormat: '02/Jan/2006:15:04:05 -0700' }
    await axiom.ingest(other, [{ at: '20/Nov/2026:12:00:00 +0100', timed: true }], options)
    const [table] = (await tabular(`['${other}'] | where timed == true | project _time`)).tables
    assert.deepEqual(table.columns, [['2026-11-20T11:00:00Z']])
  })
  await check('an event that cannot be stored is told, and costs no other', async () => {
    const { ingested, failed, failures } = await axiom.ingest(other, [{ a: 5 }, { _time: 'never', a: 6 }])
    assert.deepEqual([ingested, failed, failures.length], [1, 1, 1])
  })
  await check('batches', async () => {
    const batching = new Axiom({ token, url })
    for (const event of [{ batched: 1 }, { batched: 2 }]) batching.ingest(other, event)
    await batching.flush()
    const { tables } = await axiom.query(`['${other}'] | where batched > 0 | count`, { format: 'tabular' })
    assert.deepEqual(tables[0].columns, [[2]])
  })
  await check('the fields of what was sent', async () => {
    const types = Object.fromEntries((await axiom.datasets.fields(web)).map(({ name, type }) => [name, type]))
    assert.deepEqual([types._time, types.n, types.method, types['geo.city']], ['datetime', 'integer', 'string', 'string'])
  })
}

async function checkTables({ web, tabular, check }) {
  await check('a table of rows', async () => {
    const { format, datasetNames, tables } = await tabular(`['${web}'] | sort by _time asc`)
    assert.deepEqual([format, datasetNames, tables.length], ['tabular', [web], 1])
    const [table] = tables
    assert.deepEqual([table.name, table.sources, table.order], ['0', [{ name: web }], [{ field: '_time', desc: false }]])
    assert.deepEqual(namesOf(table.fields), ['_sysTime', '_time', 'geo.city', 'method', 'n', 'path'])
    assert.deepEqual(columnsOf(table).n, NUMBERS)
  })
  await check('figures of the status are counted once', async () => {
    const { status } = await tabular(`['${web}'] | sort by _time asc | limit 5`)
    assert.deepEqual([status.rowsExamined, status.rowsMatched, status.isPartial], [24, 24, false])
    assert.ok(Number.isInteger(status.elapsedTime) && status.minCursor && status.maxCursor)
  })
  await check('the events of a table', async () => {
    const { tables } = await tabular(`['${web}'] | sort by _time asc | project n, city = ['geo.city']`)
    assert.deepEqual([...tables[0].events()].slice(0, 2), [
      { n: 0, city: 'Rome' },
      { n: 1, city: 'Oslo' },
    ])
  })
  await check('groups have the bin of time', async () => {
    const { tables } = await tabular(`['${web}'] | summarize count() by bin(_time, 1h), method`)
    assert.deepEqual(namesOf(tables), ['0', '_totals'])
    assert.deepEqual(tables[0].groups, [{ name: '_time' }, { name: 'method' }])
    assert.deepEqual(tables[0].buckets, { field: '_time', size: 3_600_000_000_000 })
    assert.deepEqual(tables[1].groups, [{ name: 'method' }])
    assert.equal(sum(columnsOf(tables[0]).count_), 24)
  })
  await check('an aggregation is described, with its arguments', async () => {
    const [table] = (await tabular(`['${web}'] | summarize topk(method, 1)`)).tables
    assert.deepEqual(table.fields[0].agg, { name: 'topk', args: [1], fields: ['method'] })
    assert.deepEqual(table.columns, [[[{ key: 'GET', count: 12, error: 0 }]]])
  })
  await check('one group for each value', async () => {
    const [table] = (await tabular(`['${web}'] | summarize total = sum(n) by method | sort by method asc`)).tables
    const methods = ['GET', 'POST', 'PUT']
    assert.deepEqual(columnsOf(table), { method: methods, total: methods.map(sumOf) })
  })
  await check('the range of the question', async () => {
    const [{ range }] = (await tabular(`['${web}'] | count`)).tables
    assert.deepEqual([range.field, range.start, range.end], ['_time', DAY.startTime, DAY.endTime])
  })
  await check('a field that no event has', () => assert.rejects(tabular(`['${web}'] | where nope == 1`), /nope/))
  await check('a dataset that is not there', () => assert.rejects(tabular("['absent'] | count"), /not found/i))
}

const sum = (numbers) => numbers.reduce((before, number) => before + number, 0)
const sumOf = (method) => sum(NUMBERS.filter((n) => METHODS[n % 4] === method))

async function checkRows({ web, tabular, legacy, check }) {
  await check('matches of a query of rows', async () => {
    const { format, matches, buckets, status } = await legacy(`['${web}'] | sort by _time desc | limit 2`)
    assert.deepEqual([format ?? 'legacy', matches.length, status.rowsMatched], ['legacy', 2, 24])
    assert.deepEqual(matches[0].data, { n: 23, method: 'PUT', path: '/items/2', geo: { city: 'Oslo' } })
    assert.ok(matches[0]._rowId && matches[0]._time && matches[0]._sysTime && buckets)
  })
  await check('buckets of an aggregation', async () => {
    const { buckets, matches } = await legacy(`['${web}'] | summarize count() by bin(_time, 1h)`)
    assert.deepEqual(matches, [])
    assert.equal(buckets.totals[0].aggregations[0].value, 24)
    const counts = buckets.series.flatMap(({ groups }) => groups ?? []).map(({ aggregations: [{ value }] }) => value)
    assert.deepEqual(counts, [8, 8, 8])
  })
  await check('a query without a limit says so', async () => {
    const { status } = await tabular(`['${web}']`)
    assert.ok(status.messages.some(({ code }) => code === 'default_limit_warning'))
  })
  for (const [order, member] of Object.entries({ asc: 'maxCursor', desc: 'minCursor' })) {
    await check(`pages ${order} have each row once`, async () => {
      const seen = []
      for (let cursor; ; ) {
        const { status, tables } = await tabular(`['${web}'] | sort by _time ${order} | limit 7`, { ...(cursor && { cursor }) })
        const page = columnsOf(tables[0]).n ?? []
        if (page.length === 0 || seen.length > 24) break
        seen.push(...page)
        cursor = status[member]
      }
      assert.deepEqual(seen, order === 'asc' ? NUMBERS : NUMBERS.toReversed())
    })
  }
  await check('an empty page has the cursor that was sent', async () => {
    const { status } = await legacy(`['${web}'] | sort by _time asc`)
    const { status: empty, matches } = await legacy(`['${web}'] | sort by _time asc`, { cursor: status.maxCursor })
    assert.deepEqual([matches, empty.maxCursor, empty.minCursor], [[], status.maxCursor, status.maxCursor])
  })
}

async function checkLegacy({ axiom, web, check }) {
  const ask = (members) => axiom.queryLegacy(web, { ...DAY, resolution: 'auto', ...members })
  await check('a legacy filter and order', async () => {
    const isGet = { op: '==', field: 'method', value: 'GET' }
    const filter = { op: 'and', field: '', children: [isGet, { op: '>', field: 'n', value: 10 }] }
    const { matches } = await ask({ filter, order: [{ field: '_time', desc: false }], limit: 2 })
    const numbers = matches.map(({ data }) => data.n)
    assert.deepEqual(numbers, [12, 13])
  })
  await check('legacy aggregations', async () => {
    const max = { op: 'max', field: 'n' }
    const { buckets, status } = await ask({ aggregations: [{ op: 'count', field: '*' }, max], groupBy: ['method'] })
    const get = buckets.totals.find(({ group }) => group.method === 'GET')
    assert.deepEqual([get.aggregations.map(({ value }) => value), status.rowsExamined], [[12, 21], 24])
  })
  await check('a held query of what is there answers at once', async () => {
    const startedMs = Date.now()
    const { matches } = await axiom.queryLegacy(web, { ...DAY, resolution: 'auto', limit: 1 }, { streamingDuration: '20s' })
    assert.equal(matches.length, 1)
    assert.ok(Date.now() - startedMs < 15_000, 'it was held although there are rows')
  })
}

async function checkMarks({ axiom, web, check }) {
  let id
  await check('an annotation is made', async () => {
    const made = await axiom.annotations.create({ type: 'deploy', datasets: [web], title: 'v1', time: '2026-11-20T10:00:00Z' })
    id = made.id
    assert.deepEqual([/^ann_/.test(id), made.type, made.datasets, made.title], [true, 'deploy', [web], 'v1'])
  })
  await check('it is got, and changed', async () => {
    assert.equal((await axiom.annotations.get(id)).title, 'v1')
    assert.equal((await axiom.annotations.update(id, { endTime: '2026-11-20T11:00:00Z' })).title, 'v1')
  })
  await check('it is listed by what it touches', async () => {
    const ids = async (range) => (await axiom.annotations.list({ datasets: [web], ...range })).map((mark) => mark.id)
    assert.deepEqual(await ids({ start: '2026-11-20T10:30:00Z', end: '2026-11-20T12:00:00Z' }), [id])
    assert.deepEqual(await ids({ start: '2026-11-20T11:30:00Z', end: '2026-11-20T12:00:00Z' }), [])
  })
  await check('it is deleted', async () => {
    await axiom.annotations.delete(id)
    await assert.rejects(axiom.annotations.get(id), /not found/i)
  })
}

async function checkMonitors({ axiom, web, check }) {
  await check('a monitor is made, changed and deleted', async () => {
    const members = { type: 'Threshold', operator: 'Above', threshold: 5, intervalMinutes: 5, rangeMinutes: 5, notifierIds: [] }
    const disabledUntil = '2030-01-01T00:00:00Z'
    const monitor = { name: 'errors', aplQuery: `['${web}'] | summarize count()`, ...members, disabledUntil }
    const made = await axiom.monitors.create(monitor)
    assert.deepEqual([made.threshold, made.disabledUntil], [5, disabledUntil])
    assert.equal((await axiom.monitors.update(made.id, { ...monitor, threshold: 6 })).threshold, 6)
    assert.ok((await axiom.monitors.list()).some(({ id }) => id === made.id))
    await axiom.monitors.delete(made.id)
    await assert.rejects(axiom.monitors.get(made.id), /not found/i)
  })
}
