/**
 * More habits of other languages: what the author is told, the part of the text that the caret is at, and where it is certain what was
 * meant, the text as it should be. That text runs.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { Engine } from './support/engine.ts'
import { errorOf } from './support/error-of.ts'
import { loadAll, options } from './support/web.ts'

let engine: Engine
beforeAll(async () => {
  engine = new Engine()
  await loadAll(engine)
})
afterAll(() => engine.close())

interface Habit {
  readonly at: string
  readonly says: string
  readonly hint: string
  /** The text as it is to be. */
  readonly mended?: string
}

const HABITS: Readonly<Record<string, Habit>> = {
  'web | where status in (200 .. 299)': {
    at: '..',
    says: 'a list has values, and no range',
    hint: 'write between (low .. high)',
    mended: 'web | where status between (200 .. 299)',
  },
  'web | summarize count by method': {
    at: 'count',
    says: 'invalid field: "count"',
    hint: 'write count()',
    mended: 'web | summarize count() by method',
  },
  'web | join kind=anti (web) on id': {
    at: 'anti',
    says: 'unknown kind of join "anti"',
    hint: 'write kind=leftanti',
    mended: 'web | join kind=leftanti (web) on id',
  },
  'range x from 1 to 5 step 1': {
    at: 'range',
    says: 'range is a function here, and makes an array',
    hint: 'write print x = range(1, 5, 1) | mv-expand x',
  },
  'web | sample 3': {
    at: '3',
    says: 'sample takes a share above 0 and at most 1',
    hint: 'write limit 3 for so many rows, or sample 0.1 for a tenth of them',
  },
  'web | as slow': {
    at: 'as',
    says: 'operator "as" is not supported',
    hint: 'write | …, and let name = …; before the query for rows that are used twice',
  },
  'web | extend all = pack_all()': {
    at: 'pack_all',
    says: "function 'pack_all' not found",
    hint: 'write pack(*)',
  },
  'web | where status in 200, 404': {
    at: '200, 404',
    says: 'a list is in round brackets',
    hint: 'write in (1, 2)',
    mended: 'web | where status in (200, 404)',
  },
  'web | where status in [200, 404]': {
    at: '[200, 404]',
    says: 'a list is in round brackets',
    hint: 'write in (1, 2)',
    mended: 'web | where status in (200, 404)',
  },
  'web | where status not in (200, 404)': {
    at: 'not in',
    says: '"not in" is one word here',
    hint: 'write !in',
    mended: 'web | where status !in (200, 404)',
  },
  "web | where path not contains 'x'": {
    at: 'not contains',
    says: '"not contains" is one word here',
    hint: 'write !contains',
    mended: "web | where path !contains 'x'",
  },
  "web | where path not like '%x%'": {
    at: 'not like',
    says: 'texts are compared with words of their own',
    hint: "write !contains 'x', !startswith 'x' or !endswith 'x'",
  },
  'web | where status is not null': {
    at: 'is',
    says: 'whether a value is missing is asked by a function',
    hint: 'write isnull(field) or isnotnull(field)',
    mended: 'web | where isnotnull(status)',
  },
  'web | where ok is true': {
    at: 'ok is true',
    says: '"is" is not an operator',
    hint: 'write ==',
    mended: 'web | where ok == true',
  },
  'web | where ok == True': {
    at: 'True',
    says: 'invalid field: "True"',
    hint: 'constants are written in small letters: true',
    mended: 'web | where ok == true',
  },
  'web | where path != NULL': {
    at: 'NULL',
    says: 'invalid field: "NULL"',
    hint: 'constants are written in small letters: null',
    mended: 'web | where path != null',
  },
  'web | where path =~ /api.*/': {
    at: '/',
    says: 'expected a value, found "/"',
    hint: "a pattern is a text: matches regex 'pattern'",
  },
  "web | where path ~ 'api.*'": {
    at: '~',
    says: 'unexpected character "~"',
    hint: "patterns are found by: field matches regex 'pattern'",
    mended: "web | where path matches regex 'api.*'",
  },
  'web | where status between 200 and 299': {
    at: '200',
    says: 'a range is written (low .. high)',
    hint: 'write between (low .. high)',
    mended: 'web | where status between (200 .. 299)',
  },
  'web | where status between (200 and 299)': {
    at: '200 and 299',
    says: 'a range is written (low .. high)',
    hint: 'write between (low .. high)',
    mended: 'web | where status between (200 .. 299)',
  },
  'web | where status between (200, 299)': {
    at: '200',
    says: 'a range is written (low .. high)',
    hint: 'write between (low .. high)',
    mended: 'web | where status between (200 .. 299)',
  },
  'web | where status => 500': {
    at: '=>',
    says: '"=>" is not an operator',
    hint: 'write >=',
    mended: 'web | where status >= 500',
  },
  'web | where status eq 500': {
    at: 'eq',
    says: 'comparing is written with signs',
    hint: 'write ==',
    mended: 'web | where status == 500',
  },
  'web | where 100 < status < 300': {
    at: '<',
    says: 'comparisons cannot be chained',
    hint: 'write a < b and b < c, or b between (a .. c)',
    mended: 'web | where 100 < status and status < 300',
  },
  'web | where _time > 2026-01-01': {
    at: '_time > 2026-01-01',
    says: 'a point in time is compared with a number',
    hint: 'write datetime(2026-01-31), or ago(1h)',
  },
  'web | where _time > -1h': {
    at: '_time > -1h',
    says: 'a point in time is compared with a length of time',
    hint: 'write ago(1h), or now() - 1h',
  },
  'web | where _time > now-1h': {
    at: 'now',
    says: 'invalid field: "now"',
    hint: 'the time of the query is now()',
    mended: 'web | where _time > now()-1h',
  },
  'web | where timestamp > ago(1h)': {
    at: 'timestamp',
    says: 'invalid field: "timestamp"',
    hint: 'the time of an event is _time',
    mended: 'web | where _time > ago(1h)',
  },
  "web | where _time >= now() - interval '1 hour'": {
    at: "interval '1 hour'",
    says: 'a timespan is a value',
    hint: 'write 1hour',
    mended: 'web | where _time >= now() - 1hour',
  },
  'web | where _time > ago(1 hour)': {
    at: '1 hour',
    says: 'a timespan is written without a blank',
    hint: 'write 1hour',
    mended: 'web | where _time > ago(1hour)',
  },
  'web | extend x = _time + 60': {
    at: '_time + 60',
    says: 'a point in time is moved by a timespan, not by a number',
    hint: 'write 60s, 60m or 60h',
  },
  "web | where path.startsWith('/api')": {
    at: 'startsWith',
    says: 'values have no functions behind a dot, such as startsWith()',
    hint: "write field startswith 'text'",
    mended: "web | where path startswith '/api'",
  },
  'web | where path.length() > 5': {
    at: 'length',
    says: 'values have no functions behind a dot, such as length()',
    hint: 'write strlen(…)',
  },
  "web | where lower(path) == 'a'": {
    at: 'lower',
    says: "function 'lower' not found",
    hint: 'write tolower(…)',
    mended: "web | where tolower(path) == 'a'",
  },
  "web | where nvl(path, 'a') == 'b'": {
    at: 'nvl',
    says: "function 'nvl' not found",
    hint: 'write coalesce(…)',
    mended: "web | where coalesce(path, 'a') == 'b'",
  },
  "web | where regexp_match(path, 'a')": {
    at: 'regexp_match',
    says: "function 'regexp_match' not found",
    hint: "write field matches regex 'pattern'",
  },
  "web | where date_trunc('hour', _time) == now()": {
    at: 'date_trunc',
    says: "function 'date_trunc' not found",
    hint: 'write bin(_time, 1h), or startofday(_time)',
  },
  "web | where cast(status as string) == '5'": {
    at: 'cast',
    says: 'types are changed by functions',
    hint: 'write tostring(x)',
    mended: "web | where tostring(status) == '5'",
  },
  "web | where status::string == '5'": {
    at: '::',
    says: 'types are changed by functions',
    hint: 'write tostring(x), tolong(x), toreal(x) or todatetime(x)',
  },
  "web | where geo->city == 'Oslo'": {
    at: '->',
    says: 'a key is behind a dot',
    hint: 'write object.key',
    mended: "web | where geo.city == 'Oslo'",
  },
  'web | where @status == 500': {
    at: '@',
    says: 'unexpected character "@"',
    hint: "a name with special characters is written ['@name']",
  },
  'web | where id == a1': {
    at: 'a1',
    says: 'invalid field: "a1"',
    hint: "a text is in quotes: 'a1'",
    mended: "web | where id == 'a1'",
  },
  'web | where id in (a1, a2)': {
    at: 'a1',
    says: 'invalid field: "a1"',
    hint: "a text is in quotes: 'a1'",
    mended: "web | where id in ('a1', a2)",
  },
  'web | where status == 500)': {
    at: ')',
    says: 'this ")" closes nothing',
    hint: 'leave it out, or open a "(" before it',
  },
  "web | where path == 'a' -- comment": {
    at: '--',
    says: 'a comment begins with //',
    hint: 'write //',
    mended: "web | where path == 'a' // comment",
  },
  "web | where path == 'a' /* comment */": {
    at: '/*',
    says: 'a comment ends with its line',
    hint: 'a comment begins with //',
  },
  'web | where status in (select user from users)': {
    at: 'select user from users',
    says: 'a query inside a query is a pipeline too',
    hint: 'write users | project user',
    mended: 'web | where status in (users | project user)',
  },
  'web | extend x = [1, 2]': {
    at: '[',
    says: 'an array is made by a function',
    hint: 'write dynamic([1, 2]) of constants, and pack_array(a, b) of fields',
    mended: 'web | extend x = pack_array(1, 2)',
  },
  'web | extend x = (1, 2)': {
    at: '(1,',
    says: 'a list stands where one value is needed',
    hint: 'write in (1, 2), or dynamic([1, 2])',
  },
  'web | extend x = {a: 1}': {
    at: '{',
    says: 'expected a value, found "{"',
    hint: "an object is written dynamic({'key': value}) or bag_pack('key', value)",
  },
  'web | extend x == 1': {
    at: ' == ',
    says: '"==" compares; a column is given with "="',
    hint: 'write name = expression',
    mended: 'web | extend x = 1',
  },
  'web | extend x := 1': {
    at: ':=',
    says: '":=" is not an operator',
    hint: 'a name is given with =',
    mended: 'web | extend x = 1',
  },
  'web | extend x = 5 div 2': {
    at: 'div',
    says: 'dividing is written with a sign',
    hint: 'write /',
    mended: 'web | extend x = 5 / 2',
  },
  'web | extend x = 2 ** 3': {
    at: '**',
    says: 'powers are a function',
    hint: 'write pow(x, y)',
  },
  "web | extend x = 'a' || 'b'": {
    at: '|',
    says: '"||" is not an operator',
    hint: 'texts are joined with strcat(a, b), and conditions with or',
  },
  "web | extend x = path ?? 'none'": {
    at: '?',
    says: 'unexpected character "?"',
    hint: 'the first value that is there is coalesce(a, b)',
  },
  'web | extend x = if status > 5 then 1 else 2': {
    at: 'if',
    says: 'a choice is a function',
    hint: 'write iff(condition, value, otherwise) or case(…)',
  },
  'web | extend x = tolower path': {
    at: 'tolower',
    says: '"tolower" is a function: its arguments are in brackets',
    hint: 'write tolower(…)',
    mended: 'web | extend x = tolower(path)',
  },
  'web | extend x = case(ok, 1, 2, 3)': {
    at: 'case(ok, 1, 2, 3)',
    says: 'case() takes pairs of a condition and a value, and a last value for otherwise',
    hint: "for example case(404 >= 500, 'server', 404 >= 400, 'client', 'fine')",
  },
  'web | project id path': {
    at: 'path',
    says: 'something is missing between "id" and "path"',
    hint: 'values are joined by an operator such as ==, columns are separated by ",", and the next operator begins with "|"',
  },
  'web | project id as x': {
    at: 'as',
    says: 'a column is named before its value',
    hint: 'write name = expression',
    mended: 'web | project x = id',
  },
  'web | project id,': {
    at: ',',
    says: 'nothing comes behind this ","',
    hint: 'leave it out',
    mended: 'web | project id',
  },
  'web | project * except id': {
    at: 'except',
    says: 'columns are taken away by an operator',
    hint: 'write | project-away field, …',
  },
  'web | summarize count(id)': {
    at: 'id',
    says: 'count() counts rows, and takes no arguments',
    hint: 'write countif(isnotnull(id)) for those that have it, or dcount(id) for different values',
  },
  'web | summarize count(distinct id)': {
    at: 'count(distinct',
    says: 'different values are counted by a function of their own',
    hint: 'write dcount(field)',
    mended: 'web | summarize dcount(id)',
  },
  'web | summarize count(status == 500)': {
    at: 'count',
    says: 'count() counts rows, and takes no arguments',
    hint: 'write countif(condition)',
    mended: 'web | summarize countif(status == 500)',
  },
  'web | summarize mean(duration)': {
    at: 'mean',
    says: "function 'mean' not found",
    hint: 'write avg(…)',
    mended: 'web | summarize avg(duration)',
  },
  'web | summarize median(duration)': {
    at: 'median',
    says: "function 'median' not found",
    hint: 'write percentile(field, 50)',
  },
  'web | summarize p95(duration)': {
    at: 'p95',
    says: "function 'p95' not found",
    hint: 'write percentile(field, 95)',
  },
  'web | summarize avg duration by status': {
    at: 'avg',
    says: '"avg" is a function: its arguments are in brackets',
    hint: 'write avg(…)',
    mended: 'web | summarize avg(duration) by status',
  },
  "web | summarize count() by bin(_time, '1h')": {
    at: "'1h'",
    says: 'the size of bin() must be a positive number or timespan',
    hint: 'write 1h without quotes',
    mended: 'web | summarize count() by bin(_time, 1h)',
  },
  'web | summarize count() by 1h': {
    at: '1h',
    says: 'a timespan alone makes no groups',
    hint: 'write bin(_time, 1h)',
    mended: 'web | summarize count() by bin(_time, 1h)',
  },
  'web | summarize count() per status': {
    at: 'per',
    says: 'groups are named after by',
    hint: 'write by',
    mended: 'web | summarize count() by status',
  },
  'web | summarize count() by _time(1h)': {
    at: '_time',
    says: '"_time" is a field, not a function',
    hint: 'write bin(_time, 1h)',
  },
  'web | count()': {
    at: '()',
    says: 'the operator count has no brackets',
    hint: 'write | count',
    mended: 'web | count',
  },
  'web | count by status': {
    at: 'by',
    says: 'the operator count has no groups',
    hint: 'write | summarize count() by …',
    mended: 'web | summarize count() by status',
  },
  'web | sum(duration)': {
    at: 'sum',
    says: '"sum" is an aggregation, not an operator',
    hint: 'write | summarize sum(…)',
    mended: 'web | summarize sum(duration)',
  },
  'web | tolower(path)': {
    at: 'tolower',
    says: '"tolower" is a function, not an operator',
    hint: 'write | extend name = tolower(…)',
  },
  'web | sort status': {
    at: 'status',
    says: 'expected "by" after sort, found "status"',
    hint: 'write sort by field asc, or desc, which it is without a word',
    mended: 'web | sort by status asc',
  },
  'web | sort by status, desc': {
    at: 'desc',
    says: 'invalid field: "desc"',
    hint: 'a direction follows its field without a comma: sort by field desc',
  },
  'web | top 5 status': {
    at: 'status',
    says: 'expected "by" after the count of top, found "status"',
    hint: 'write by',
    mended: 'web | top 5 by status',
  },
  'web | limit 10, 20': {
    at: ',',
    says: 'a "," stands between columns only',
    hint: 'conditions are joined with and; a limit is one number',
  },
  'web | limit 10 offset 20': {
    at: 'offset',
    says: 'rows are not skipped by their number',
    hint: 'the next page is asked for with a cursor',
  },
  'web | drop id': {
    at: 'drop',
    says: 'operator "drop" not found',
    hint: 'write | project-away field, …',
  },
  'web | logfmt': {
    at: 'logfmt',
    says: 'operator "logfmt" not found',
    hint: 'write | parse-kv field as (key, …)',
  },
  'web | explode tags': {
    at: 'explode',
    says: 'operator "explode" not found',
    hint: 'write | mv-expand field',
  },
  'web | fieldsAdd x = 1': {
    at: 'fieldsAdd',
    says: 'operator "fieldsAdd" not found',
    hint: 'write | extend name = expression',
  },
  "web | parse path 'a' x": {
    at: "'a'",
    says: 'expected "with" before the pattern, found a string',
    hint: 'write with',
    mended: "web | parse path with 'a' x",
  },
  'web | join left users on id == user': {
    at: 'left',
    says: 'the kind of a join is an option of its own',
    hint: 'write kind=leftouter',
    mended: 'web | join kind=leftouter users on id == user',
  },
  'web | join kind=left users on id == user': {
    at: 'left',
    says: 'unknown kind of join "left"',
    hint: 'write kind=leftouter',
    mended: 'web | join kind=leftouter users on id == user',
  },
  'web | join users using _time': {
    at: 'using',
    says: 'expected "on" after the right side, found "using"',
    hint: 'write on',
    mended: 'web | join users on _time',
  },
  'web | left join users on id': {
    at: 'left',
    says: 'operator "left" not found',
    hint: 'write | join kind=leftouter (dataset) on field',
  },
  'web | union all users': {
    at: 'all',
    says: 'a union keeps all rows',
    hint: 'leave all out',
    mended: 'web | union  users',
  },
  'web | | count': {
    at: '|',
    says: 'there is no operator between the two "|"',
    hint: 'leave one of them out',
    mended: 'web |  count',
  },
  'web |> count': {
    at: '|>',
    says: '"|>" is not an operator',
    hint: 'write |',
    mended: 'web | count',
  },
  'web | count |': {
    at: '|',
    says: 'an operator is missing behind the last "|"',
    hint: 'leave it out',
    mended: 'web | count ',
  },
  'web |= "error"': {
    at: '|=',
    says: 'lines with a text are found by an operator',
    hint: 'write | search "text"',
    mended: 'web | search "error"',
  },
  'rate(web[5m])': {
    at: 'rate',
    says: '"rate" is not supported as a source',
    hint: "a query begins with a dataset, such as ['name']; functions come behind it, as in | summarize count()",
  },
  'sum by (status) (web)': {
    at: 'sum',
    says: 'a query begins with a dataset, and functions come behind it',
    hint: "write ['dataset'] | summarize sum(field) by field",
  },
  'status:500 AND path:"/api"': {
    at: 'status:',
    says: 'a query begins with a dataset',
    hint: "write ['dataset'] | where status == …, or search in (dataset) …",
  },
  'fetch web | limit 5': {
    at: 'fetch web',
    says: 'a query begins with the name of a dataset alone',
    hint: "write ['web']",
    mended: "['web'] | limit 5",
  },
  'source=web | limit 5': {
    at: 'source=web',
    says: 'a query begins with the name of a dataset alone',
    hint: "write ['web']",
    mended: "['web'] | limit 5",
  },
  'from web | limit 5': {
    at: 'from web',
    says: 'a query begins with the name of a dataset alone',
    hint: "write ['web']",
    mended: "['web'] | limit 5",
  },
  '[web] | count': {
    at: '[web]',
    says: 'the name of a dataset is in quotes',
    hint: "write ['web']",
    mended: "['web'] | count",
  },
  'we* | count': {
    at: 'we*',
    says: 'several datasets are a union',
    hint: 'write union we*',
    mended: 'union we* | count',
  },
  '* | count': {
    at: '*',
    says: 'every dataset is a union',
    hint: 'write union *',
    mended: 'union * | count',
  },
  'let x := 1; print x': {
    at: ':=',
    says: '":=" is not an operator',
    hint: 'a name is given with =',
    mended: 'let x = 1; print x',
  },
  'let x = 1;': {
    at: ';',
    says: 'a query is missing behind the last ";"',
    hint: "write ['dataset'] | …, or print name",
  },
  'web | render timechart': {
    at: 'render',
    says: 'operator "render" is not supported',
    hint: 'write nothing in its place: a result with bins of time is drawn as a chart',
  },
}

test.each(Object.entries(HABITS))('%s', (text, { at, says, hint, mended }) => {
  const error = errorOf(text)
  const { start, end } = error.span
  expect({ at: text.slice(start, end), says: error.message, hint: error.hint, mended: error.suggestion }).toEqual({
    at,
    says,
    hint,
    mended,
  })
})

/** Mended step by step, as a person would who presses the button again. */
function mendedFully(text: string): string {
  try {
    compile(text, options)
    return text
  } catch (error) {
    const next = error instanceof QueryError ? error.suggestion : undefined
    if (next === undefined || next === text) throw error
    return mendedFully(next)
  }
}

const mended = Object.values(HABITS).flatMap((habit) => habit.mended ?? [])

test.each(mended)('%s runs, or says what is to be mended next', (text) => {
  expect(() => engine.query(compile(mendedFully(text), options))).not.toThrow()
})

test('what is only like a mistake is none', () => {
  for (const text of [
    'web | where (status > 1) == true',
    'web | extend x = duration --1',
    "web | where _time > '2026-01-01'",
    'web | where _time > 1767225600000000000',
    "web | where status in (200) and id in~ ('a1')",
    "web | where ['id'] in ['tags']",
    'web | where not(ok) and status !in (1, 2)',
    'web | extend all = 1 | where all == 1',
  ])
    expect(compile(text, options).columns).not.toEqual([])
})
