/**
 * Where it is known what was meant, an error or a warning carries the whole text as it should be. That text is pressed as a button would be,
 * until nothing is left to correct, and then finds in the real engine what the query that was meant finds.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { Engine, fieldsOf, readRows, type StoredEvent } from './support/engine.ts'
import { errorOf } from './support/error-of.ts'
import { loadAll, options, web } from './support/web.ts'

const LINES: readonly StoredEvent[] = [
  {
    level: 'info',
    duration: 12.5,
    duration_ms: 40,
    tags: ['a', 'b'],
    message: 'timeout of disk',
    http: { server: { code: 200 } },
  },
  { level: 'error', duration: 6000, duration_ms: 7000, tags: ['b'], message: 'it took some time', status: 500 },
  { level: 'debug', duration: 900, duration_ms: 900, tags: [], message: 'uptime 5', status: 503 },
  { level: 'info', duration: 5, duration_ms: 2, message: 'debug is off', status: 200 },
].map((data, at) => ({ timeNs: options.range.startNs + BigInt(at) * 1_000_000_000n, data }))

const lines = { name: 'lg', table: 'ds_lg', fields: fieldsOf(LINES) }
const compiling = { ...options, datasets: new Map([...options.datasets, [lines.name, lines]]) }

let engine: Engine
beforeAll(async () => {
  engine = new Engine()
  await loadAll(engine)
  await engine.load(lines, LINES)
})
afterAll(() => engine.close())

const rowsOf = (text: string) => {
  const plan = compile(text, compiling)
  return readRows(plan, engine.query(plan))
}

/** What is suggested first, by an error or by a warning. */
function suggestionFor(text: string): string | undefined {
  try {
    return compile(text, compiling).messages.find(({ suggestion }) => suggestion !== undefined)?.suggestion
  } catch (error) {
    if (error instanceof QueryError) return error.suggestion
    throw error
  }
}

/** As a person would who presses the button again and again. */
function corrected(text: string, times = 5): string {
  const next = suggestionFor(text)
  return next === undefined || times === 0 ? text : corrected(next, times - 1)
}

/** The day of the lines. */
const DAY = new Date(Number(options.range.startNs / 1_000_000n)).toISOString().slice(0, 10)

/** What was written, and in other words what was meant. */
const MEANT: readonly (readonly [written: string, meant: string])[] = [
  ['web | sort status | project id', 'web | sort by status asc | project id'],
  ['lg | where status == 500 or 503', 'lg | where status in (500, 503)'],
  ["lg | where message has 'disk' or 'some'", "lg | where message has_any ('disk', 'some')"],
  ["lg | where 'disk'", "lg | where message contains 'disk'"],
  ['lg | where _time > ago(-4h)', 'lg | where _time > ago(4h)'],
  ['lg | where _time < ago(4h) and _time > now()', 'lg | where _time > ago(4h)'],
  ['lg | where _time between (now() .. ago(4h))', 'lg | where _time > ago(4h)'],
  ["lg | where tolower(level) == 'INFO'", "lg | where level == 'info'"],
  [`lg | where _time == '${DAY}' | count`, 'lg | count'],
  ["lg | where message has 'time*disk'", "lg | where message == 'timeout of disk'"],
  ["web | where path == '/a*/users'", "web | where path startswith '/a' and path endswith '/users'"],
  ['lg | where duration > 1kB', 'lg | where duration > 1000'],
  ['web | where status = 500', 'web | where status in (500)'],
  ['web | where status === 500', 'web | where status in (500)'],
  ['web | where status = = 500', 'web | where status in (500)'],
  ['web | where ok AND status == 200', 'web | where ok | where status == 200'],
  ['web | where ok && status > 1 && ok', 'web | where ok | where status > 1'],
  ['web | where ok || status == 500', 'web | where not(not(ok) and status != 500)'],
  ['web | where path == ‘/api/users’', "web | where path in ('/api/users')"],
  ['web | where path == “/api/users” | count', "web | where path in ('/api/users') | count"],
  ['web | where status ≥ 500', 'web | where not(status < 500)'],
  ['web where ok', 'web | where ok == true'],
  ['web || count', 'web | summarize count = count()'],
  ['web || where ok', 'web | where ok == true'],
  ['web | summrize count()', 'web | count | project count_ = count'],
  ['web | project-awy id', 'web | project-away id'],
  ['web | where stauts == 500', 'web | where status == 500'],
  ['web | where geo.contry == "NO"', "web | where geo.country == 'NO'"],
  ["web | where geo['contry'] == 'NO'", "web | where geo.country == 'NO'"],
  ['web | where isnotnull(its) | project its', "web | where id == 'a6' | project ['it\\'s']"],
  ["web | where tolowr(method) == 'get'", "web | where method == 'GET'"],
  ["web | where _time > ago('1h')", 'web | where _time > now() - 60m'],
  ['web | where _time in (ago(2h) .. now())', 'web | where _time >= ago(2h) and _time <= now()'],
  ['web | where status !in (400 .. 599)', 'web | where status < 400'],
  ['web | summarize countIf(status >= 500)', 'web | summarize countif_ = countif(status >= 500)'],
  ['web | sort by _time descending', 'web | sort by _time desc'],
  ['web | sort -duration | project id', 'web | sort by duration desc | project id'],
  ['web | sort -duration, +id | project id', 'web | sort by duration desc, id asc | project id'],
  ['web | order +duration | project id', 'web | sort by duration asc | project id'],
  ['web | sort by -duration | project id', 'web | sort by duration desc | project id'],
  ['web | top 2 by -duration | project id', 'web | sort by duration desc | limit 2 | project id'],
  ['web | join kind=iner users on id == user', 'web | join kind=inner users on id == user'],
  ['web | top limit=1 method', "web | where method == 'GET' | summarize count() by method"],
  ['lg | where NOT level:info', "lg | where level != 'info'"],
  ['lg | where not level == "info" and status > 500', "lg | where level != 'info' and status > 500"],
  ['lg | count() where status>=500', 'lg | summarize count = countif(status >= 500)'],
  ['lg | count where status>=500 | extend x = 1', 'lg | summarize count = countif(status >= 500) | extend x = 1'],
  ['lg | summarize max(status) by level where status < 503', 'lg | where status < 503 | summarize max(status) by level'],
  ['lg | summarize n = count() by level where n > 1', "lg | where level == 'info' | summarize n = count() by level"],
  ['lg != "debug"', "lg | where message !contains 'debug' and level != 'debug'"],
  ['lg{status=~"5.."}', 'lg | where status between (500 .. 599)'],
  ['lg{level="info", status!="200"} | count', "lg | where level == 'info' and isnull(status) | count"],
  ['lg{level!~"info|debug"} | count', "lg | where level == 'error' | count"],
  ['let x = 500 lg | where status == x', 'lg | where status == 500'],
  ["let x = ago(4h) ['lg'] | where _time > x", 'lg'],
  ['web | where path:\\/api\\/*', "web | where path startswith '/api/'"],
  ["lg | where status matches '50.'", 'lg | where status between (500 .. 509)'],
  ["lg | where level equals 'info'", "lg | where level in ('info')"],
  ['lg | summarize hll(level)', 'lg | summarize dcount_level = dcount(level)'],
  ['web | sort by id asc | limit two', "web | where id in ('a1', 'a2') | sort by id asc"],
  ['lg | where duration > 5s', 'lg | where duration > 5000'],
  ['lg | where 500ms < duration', 'lg | where duration > 500'],
  ['lg | where duration between (10ms .. 1s)', 'lg | where duration >= 10 and duration <= 1000'],
  ['lg | where duration in (5ms, 900ms)', 'lg | where duration == 5 or duration == 900'],
  ["lg | where tags == 'b'", "lg | where set_has_element(tags, 'b')"],
  ["lg | where tags != 'a'", "lg | where not(set_has_element(tags, 'a'))"],
  ["lg | where tags in ('a', 'x')", "lg | where set_has_element(tags, 'a')"],
  ["lg | where tags !in ('a', 'x')", "lg | where not(set_has_element(tags, 'a'))"],
  ["lg | summarize n = countif(tags == 'b') by level", "lg | summarize n = countif(set_has_element(tags, 'b')) by level"],
  ["lg | where message has 'time*'", "lg | where message contains ' time' or message startswith 'time'"],
  ["lg | where message has '*time'", "lg | where message matches regex 'time( |$)'"],
  ["lg | where message !has '*time*'", "lg | where not(message contains 'time')"],
  ["lg | where message contains '*time*'", "lg | where message contains 'time'"],
  ["lg | where message startswith 'time*'", "lg | where message startswith 'time'"],
  ["lg | where message endswith '*off'", "lg | where message endswith 'off'"],
  ["web | where path == '/api/*'", "web | where path startswith '/api/'"],
  ["web | where path != '%api%'", "web | where path !contains 'api'"],
  ["web | where path == '*api/users*'", "web | where path contains 'api/users'"],
  ["web | where path == '/api/*/1*'", "web | where path startswith '/api/' and path contains '/1'"],
  ["web | where path =~ '^/api'", "web | where path startswith '/api'"],
  ["web | where path !~ '^/api'", "web | where path !startswith '/api'"],
]

test.each(MEANT)('%s', (written, meant) => {
  const found = rowsOf(meant)
  expect(found).not.toEqual([])
  expect(suggestionFor(written)).toBeDefined()
  const text = corrected(written)
  expect({ text, rows: rowsOf(text) }).toEqual({ text, rows: found })
})

test.each([
  'web | where (status == 500',
  'SELECT * FROM web',
  'web | where path like "a"',
  'lg | where duration > now() - _time',
])('what was meant by "%s" is not certain', (text) => {
  expect(suggestionFor(text)).toBeUndefined()
})

test('what cannot be suggested is said', () => {
  const warned = (text: string) => compile(text, compiling).messages.map(({ text }) => text)
  expect(warned('lg | where status > 500 and status < 400 | count')).toEqual([
    'no "status" is above the one bound and below the other: join them with or',
  ])
  expect(warned('lg | where _time > now() + 1d | count')).toEqual(['that time is still to come'])
  expect(errorOf("web | where status > '5s'").hint).toBe('a number, or a timespan, is written without quotes')
  expect(() => warned("lg | where duration > '5s'")).toThrow('a number is compared with the text "5s"')
  expect(errorOf('web | where ok and 5').message).toBe('the number alone is no condition')
  expect(errorOf('web | summarize count(), by ok').message).toBe('there is a "," before by')
  expect(errorOf('web offset 5m')).toMatchObject({
    message: 'a query looks at the range of time that is sent with it',
    hint: 'move that range by 5m, or write | where _time between (ago(5m) - 1h .. ago(5m))',
  })
  expect(errorOf('{status=~"5..", app="web"}').hint).toBe(
    "write ['dataset'] | where status matches regex '^5..$' and app == 'web'",
  )
})

test('a suggestion that does not compile is not made', () => {
  const [message] = compile("web | where not((tags) == 'a')", compiling).messages.filter(({ code }) => code === 'likely_mistake')
  expect(message?.text).toBe('== compares all of the array "tags", and no item of it: write \'item\' in (tags)')
  expect(message?.suggestion).toBeUndefined()
})

test('a virtual field is warned of, and nothing in the query is mistaken for its text', () => {
  const virtual = { ...web, virtualFields: new Map([['isFast', "tags == 'fast'"]]) }
  const { messages } = compile('web | where isFast', { ...options, datasets: new Map([['web', virtual]]) })
  expect(messages.filter(({ code }) => code === 'likely_mistake')).toEqual([
    { code: 'likely_mistake', text: '== compares all of the array "tags", and no item of it: write \'item\' in (tags)' },
  ])
})

test('what is right is not warned of', () => {
  for (const text of [
    "web | where tags == dynamic(['slow'])",
    "web | where path == 'SELECT * FROM x'",
    "web | where path has '100%'",
    'lg | where status >= 200 and status <= 200 and _time > ago(1h) and _time < now()',
    "lg | where tolower(level) == 'info' and bin(_time, 1d) == datetime(2026-01-01)",
    'lg | where true and status == 500',
    'web | extend age = now() - _time | where age > 1h',
    'web | sort by -duration asc',
    "web | where tags has 'fast' and 'fast' in (tags)",
    'lg | where duration_ms > 5s',
  ])
    expect(compile(text, compiling).messages.filter(({ code }) => code !== 'default_limit_warning')).toEqual([])
})

test('a length of time beside a number of a known unit is read in that unit', () => {
  const count = (condition: string) => rowsOf(`lg | where ${condition} | count`)
  expect(count('duration_ms > 5s')).toEqual([{ count: 1 }])
  expect(count('500ms <= duration_ms')).toEqual([{ count: 2 }])
  expect(count('duration_ms between (1ms .. 1s)')).toEqual([{ count: 3 }])
  expect(count('duration_ms in (2ms, 900ms)')).toEqual([{ count: 2 }])
  expect(count('duration_ms / 1s == 7')).toEqual([{ count: 1 }])
  expect(count('duration_ms + 1s > 7900')).toEqual([{ count: 1 }])
  expect(count('duration_ms < now() - _time')).toEqual([{ count: 4 }])
  expect(rowsOf('lg | summarize p = percentile(duration_ms, 95) by level | where p > 5s | project level')).toEqual([
    { level: 'error' },
  ])
  expect(rowsOf('lg | extend d = round(duration_ms) | where d >= 900ms | count')).toEqual([{ count: 2 }])
  const warned = compile('lg | summarize p = max(duration) by level | where p > 5s', compiling).messages
  expect(warned.map(({ suggestion }) => suggestion)).toEqual(['lg | summarize p = max(duration) by level | where p > 5000'])
})

test('what is computed of a number counts the same, whatever it went through', () => {
  const rows =
    'datatable (id: long, took_ms: long, wait_s: real, n: long) [1, 40, 0.5, 1, 2, 7000, 2.5, 2, 3, 900, 0.9, 3, 4, null, null, 4]'
  const ids = (steps: string) => rowsOf(`${rows} | ${steps} | sort by id asc | project id`).map(({ id }) => id)
  for (const [steps, found] of [
    ['where took_ms + 1s > 2s', [2]],
    ['where 2s - took_ms < 1100ms', [2]],
    ['where took_ms * 2 > 1s', [2, 3]],
    ['where took_ms / 2 > 400ms', [2, 3]],
    ['where -took_ms < -5s', [2]],
    ['where took_ms % 1s == 900ms', [3]],
    ['where took_ms > wait_s', [2]],
    ['where took_ms between (wait_s .. 10s)', [2, 3]],
    ['where took_ms in (wait_s)', [3]],
    ['where bin(took_ms, 1s) == 7s', [2]],
    ['where iff(n > 1, took_ms, 0) > 800ms', [2, 3]],
    ['where case(n == 2, took_ms, n == 3, 1, 0) > 1s', [2]],
    ['where coalesce(took_ms, 6s) > 5s', [2, 4]],
    ['where max_of(took_ms, 950ms) == 950ms', [1, 3, 4]],
    ['where iff(n > 1, took_ms, 50ms) < 1s', [1, 3]],
    ['extend d = took_ms + 0 | where d > 5s', [2]],
    ['extend delay_s = took_ms / 1000.0 | where delay_s > 800ms', [2, 3]],
    ['where datetime(2026-01-01) + took_ms > datetime(2026-01-01T00:00:05Z)', [2]],
    ['sort by id asc | extend p = prev(took_ms) | where p > 5s', [3]],
    ["extend o = parse_json(strcat('{\"t_ms\":', n, '000}')) | where o.t_ms > 2500ms", [3, 4]],
    ["parse strcat('took ', took_ms) with 'took ' x_ms: long | where x_ms > 5s", [2]],
  ] as const)
    expect([steps, ids(steps)]).toEqual([steps, found])
  for (const [steps, count] of [
    ['summarize by took_ms | where took_ms > 5s', 1],
    ['summarize any(n) by b = bin(took_ms, 1s) | where b > 5s', 1],
    ['summarize arg_max(n, took_ms) by id | where took_ms > 5s', 1],
    ['summarize x = any(took_ms) by id | where x > 5s', 1],
    ['union (print took_ms = 9000) | where took_ms > 5s', 2],
  ] as const)
    expect([steps, rowsOf(`${rows} | ${steps} | count`)]).toEqual([steps, [{ count }]])
})

test('a number in no known unit beside a length of time or a point in time is told', () => {
  const toldOf = (text: string) =>
    compile(text, compiling)
      .messages.filter(({ code }) => code === 'likely_mistake')
      .map(({ suggestion, text: told }) => suggestion ?? told)
  for (const condition of [
    'status * 1000 > 5s',
    'duration_ms * 1000 > 5s',
    'strlen(level) > 5s',
    'parse_json(message).took > 5s',
  ])
    expect(toldOf(`lg | where ${condition}`)).toEqual([`lg | where ${condition.replace('5s', '5000')}`])
  expect(toldOf('lg | where _time + duration > now()')).toEqual(['lg | where _time + duration * 1ms > now()'])
  expect(toldOf('lg | where _time > duration')).toEqual(['lg | where _time > unixtime_milliseconds_todatetime(duration)'])
  expect(toldOf('lg | summarize count() by bin(duration, 1s)')).toEqual([expect.stringMatching(/write 1000$/)])
})

test('a quotient of what may be a decimal or a whole number is told, which divides as one', () => {
  const toldOf = (text: string) =>
    compile(text, compiling).messages.flatMap(({ code, suggestion }) => (code === 'likely_mistake' ? [suggestion] : []))
  expect(toldOf('lg | summarize count() by duration / 5')).toEqual(['lg | summarize count() by todouble(duration) / 5'])
  expect(toldOf('lg | extend z = 100 / duration')).toEqual(['lg | extend z = 100 / todouble(duration)'])
  expect(toldOf('lg | summarize z = sum(duration) | extend z / 1000')).toEqual([
    'lg | summarize z = sum(duration) | extend todouble(z) / 1000',
  ])
  const [{ z: cut }, { z: whole }] = ['duration / 4', 'todouble(duration) / 4'].map(
    (text) => rowsOf(`lg | summarize z = sum(${text})`)[0] as { z: number },
  ) as [{ z: number }, { z: number }]
  expect(cut).toBeLessThan(whole)
  for (const text of ['lg | summarize by status / 100', 'lg | where duration / 5.0 == 1', 'lg | extend todouble(duration) / 5'])
    expect(toldOf(text)).toEqual([])
  expect(() => compile("print strrep('a', 1001)", compiling)).toThrow('strrep() repeats a text 1000 times at most')
})

test('columns know what they count', () => {
  const unitsOf = (text: string) => compile(text, compiling).columns.map(({ name, unit }) => [name, unit])
  expect(unitsOf('lg | summarize avg(duration_ms), sumif(duration_ms, status > 1), dcount(duration_ms), max(duration)')).toEqual([
    ['avg_duration_ms', 'ms'],
    ['sumif_duration_ms', 'ms'],
    ['dcount_duration_ms', undefined],
    ['max_duration', undefined],
  ])
  expect(unitsOf('lg | project took = duration_ms, third = duration_ms / 3')).toEqual([
    ['took', 'ms'],
    ['third', 'ms'],
  ])
  expect(
    unitsOf('lg | project d = duration_ms / 1000.0, delay_s = duration_ms / 1000.0, share = duration_ms / duration_ms'),
  ).toEqual([
    ['d', undefined],
    ['delay_s', 's'],
    ['share', undefined],
  ])
})

test('what other services teach is read, or said to be written otherwise', () => {
  expect(rowsOf("union ['us*'], ['web'] | count")).toEqual([{ count: 9 }])
  expect(rowsOf("union ['we*'] | summarize n = count() by method | where n > 1")).toEqual([{ method: 'GET', n: 3 }])
  const nested = 'print props = parse_json(\'{"level":"error","a":{"b":7}}\')'
  expect(rowsOf(`${nested} | where ['props.level'] == 'error' | project b = ['props.a.b']`)).toEqual([{ b: 7 }])
  expect(rowsOf("web | extend p = parse_json(extra) | where ['p.plan'] == 'pro' | project id")).toEqual([{ id: 'a1' }])
  expect(() => rowsOf("web | where ['geo.contry'] == 'NO'")).toThrow('invalid field: "geo.contry"')
  expect(errorOf('web | fork (count) (where ok)').hint).toMatch(/a query of its own for each branch/)
  const compared = rowsOf('web | summarize x = spotlight(ok, method, status)')
  expect(rowsOf('web | summarize x = dimensional_analysis(ok, pack_array(method, status))')).toEqual(compared)
})
