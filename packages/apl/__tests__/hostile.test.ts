/**
 * Hostile text through every opening of the language, executed on the real engine. Afterwards everything is as it was: the canary table,
 * the tables there are, and no file anywhere that a query could have written. The long form tries all texts in all openings.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isLong } from '../../../__tests__/support/long.ts'
import { type CompileOptions, compile } from '../src/compile.ts'
import { QueryError } from '../src/error.ts'
import { compileLegacy } from '../src/legacy.ts'
import type { Plan } from '../src/plan.ts'
import { quoteName } from '../src/sql.ts'
import { Engine } from './support/engine.ts'
import { quoteString } from './support/literal-printer.ts'
import { loadAll, options } from './support/web.ts'

const outbox = mkdtempSync(join(tmpdir(), 'apl-canary-'))
const FILE = join(outbox, 'written')

const PAYLOADS = [
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  '\\"',
  '\\`',
  "''",
  '``',
  '""',
  '\\\\',
  "\\\\'",
  "x'; DROP TABLE canary; --",
  'x`; DROP TABLE canary; --',
  "\\'; DROP TABLE canary; --",
  '\\`; DROP TABLE canary; --',
  "') OR 1=1 --",
  '`) FROM canary --',
  '` FROM canary UNION ALL SELECT secret FROM canary --',
  "' UNION ALL SELECT secret FROM canary --",
  `x' INTO OUTFILE '${FILE}`,
  `\` INTO OUTFILE '${FILE}' --`,
  "'||(SELECT secret FROM canary)||'",
  '{p0:String}',
  '{p0:Identifier}',
  '`{p0:String}',
  "' AND sleep(3) --",
  "x' FORMAT Null; INSERT INTO canary VALUES ('hit') --",
  '/* */',
  '*/',
  '--',
  '#',
  ';',
  '%',
  '_',
  '\0',
  'a\0b',
  '\u0000`',
  '\r\n',
  '\t',
  '\u2028',
  '\ud800',
  '\udfff`',
  '😀',
  '\u202e',
  'é\u0301',
  "file('/etc/passwd')",
  "url('http://127.0.0.1:1/')",
  '$(id)',
  `\${x}`,
  '{{x}}',
  '.:Int64',
  'x.:Int64',
  '^x',
  ':`Int64`',
  '[]',
  'a[]',
  'a..b',
  '.',
  'a.',
  '.a',
  'data',
  '_time',
  '_row',
  'c0',
  't0',
  'p0',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '(?i)(',
  '[',
  '(',
  '*',
  '+?',
  '{1001}',
  '\\d',
  '\\1',
  '(?=x)',
  '$1',
  '\\0',
  '1e999',
  '-0',
  '9'.repeat(40),
  'x'.repeat(500),
] // prettier-ignore

/** An opening meets one text in so many; those beside it meet the others, so that each text and each opening is tried. */
const STRIDE = isLong ? 1 : 5
const payloadsFor = (opening: number) => PAYLOADS.filter((_, at) => at % STRIDE === opening % STRIDE)

/** Places for a text: string literals in all roles, names in all roles. `S` is the text as a literal, `N` as a quoted name. */
const OPENINGS = [
  'web | where path == S',
  'web | where path != S and method =~ S',
  'web | where path contains S or path !contains_cs S',
  'web | where path startswith S or path endswith_cs S',
  'web | where path has S or path hasprefix S or path hassuffix_cs S',
  'web | where path has strcat(S, id)',
  'web | where path matches regex S',
  'web | where path in (S, id) or path in~ (S) or path !in (S)',
  'web | where path has_any (S, "x") or path has_all (S)',
  'web | where _time > S',
  'web | where code == S or code < S',
  'web | where path between (S .. S)',
  'web | extend x = strcat(S, path, S) | project x',
  'web | extend x = extract(S, 0, path), y = replace_regex(S, S, path), z = replace_string(S, S, path)',
  'web | extend x = split(path, S), y = trim(S, path), z = trim_regex(S, path), w = translate(S, S, path)',
  'web | extend x = parse_json(S), y = parse_json(S).a, z = countof(S, path), w = indexof(path, S)',
  'web | extend x = parse_json(extra)[S], y = tags[S], z = geo[S]',
  'web | extend x = bag_pack(S, S, S, path) | project x',
  'web | project N = path, y = N2',
  'web | extend N = 1 | where N == 1 | sort by N | project N',
  'web | summarize N = count() by x = S',
  'web | summarize count() by N = path | where isnotempty(N) | top 3 by N',
  'web | project-rename N = path | project-keep N',
  'web | project-away N',
  'web | project N',
  'web | where N == 1',
  'web | distinct N',
  'web | sort by N',
  'N | take 1',
  'web | join (users | project N = user) on $left.id == $right.N',
  'web | union N',
  'web | search S',
  'web | search N:S',
  'web | parse path with S x S',
  'web | parse path with * S N',
  'web | parse kind=regex path with S x',
  'web | mv-expand N = tags',
  'web | make-series N = count() on _time step 6h by M = S',
  'let x = S; web | where path == x',
  'declare query_parameters (v:string = S); web | where path == v',
  'print x = dynamic([S, {S: S}])',
  'print N = S',
  'web | where isnotnull(ensure_field(S, typeof(string)))',
  'web | extend x = column_ifexists(S, S)',
  'web | extend x = datetime_diff(S, _time, _time)',
  'web | where ipv4_is_in_range(ip, S)',
  'web | extend x = todatetime(S), y = totimespan(S)',
  'web | extend x = toint(S), y = toreal(S), z = tobool(S), d = format_bytes(toint(S))',
  'web | extend x = url_decode(S), y = base64_decode_tostring(S), z = parse_url(S), w = hash(S)',
] // prettier-ignore

let engine: Engine
beforeAll(async () => {
  engine = new Engine()
  await loadAll(engine)
  engine.sql('CREATE TABLE canary (secret String) ENGINE=MergeTree ORDER BY secret')
  engine.sql("INSERT INTO canary VALUES ('canary-secret')")
})
afterAll(async () => {
  await engine.close()
  rmSync(outbox, { recursive: true })
})

/** Runs what compiles. A refusal must be the query's fault; the engine may refuse only what depends on data, never syntax or an unknown name. */
function attempt(make: () => Plan): void {
  let plan: Plan
  try {
    plan = make()
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError)
    return
  }
  for (const statement of [plan, plan.count, ...(plan.totals ? [plan.totals] : []), ...(plan.together ? [plan.together] : [])]) {
    expect(JSON.stringify(engine.query(statement))).not.toContain('canary-secret')
  }
}

function intact(): void {
  expect(engine.query({ sql: 'SELECT secret FROM canary', params: {} })).toEqual([['canary-secret']])
  expect(engine.query({ sql: "SELECT count() FROM system.tables WHERE database = 'default'", params: {} })).toEqual([[3]])
  expect(existsSync(FILE)).toBe(false)
  expect(readdirSync(outbox)).toEqual([])
}

describe.each(OPENINGS.map((opening, at) => [opening, payloadsFor(at)] as const))('%s', (opening, payloads) => {
  test('leaves everything as it was', () => {
    for (const payload of payloads) {
      const literal = quoteString(payload)
      const query = opening
        .replace(/\bN2\b/g, '1')
        .replace(/\bS\b/g, () => literal)
        .replace(/\bN\b/g, () => `[${literal}]`)
      attempt(() => compile(query, options))
    }
    intact()
  })
})

test('field names of stored events are quoted, whatever they are', () => {
  const fields = new Map(PAYLOADS.map((name) => [name, new Set(['string', 'integer'])] as const))
  for (const types of [new Set(['string']), new Set(['string', 'array']), new Set(['integer', 'float'])]) {
    for (const name of PAYLOADS.filter((payload) => payload.length > 0)) {
      const datasets = new Map([['web', { name: 'web', table: 'ds_web', fields: new Map([[name, types]]) }]])
      attempt(() =>
        compile(`web | where [${quoteString(name)}] == 'x' | summarize count() by [${quoteString(name)}]`, {
          ...options,
          datasets,
        } as CompileOptions),
      )
    }
  }
  attempt(() =>
    compile('web | project-reorder *', { ...options, datasets: new Map([['web', { name: 'web', table: 'ds_web', fields }]]) }),
  )
  intact()
})

test('the table name is quoted, whatever it is', () => {
  for (const name of PAYLOADS) {
    const plan = compile('web', { ...options, datasets: new Map([['web', { name: 'web', table: name, fields: new Map() }]]) })
    expect(plan.sql.split('\n')[1]).toBe(`FROM ${quoteName(name)}`)
    expect(() => engine.query(plan)).toThrow()
  }
  intact()
})

/** Places for a text that are not in the text of a query. */
const BODIES: readonly ((payload: string) => Plan)[] = [
  (payload) =>
    compile('declare query_parameters (v:string = ""); web | where path == v', { ...options, variables: { v: payload } }),
  (payload) => compile('web | where path == v', { ...options, variables: { v: payload } }),
  ...['==', '!=', 'contains', 'starts-with', 'not-ends-with', 'regexp'].map(
    (op) => (value: string) => compileLegacy({ filter: { op, field: 'path', value } }, 'web', options),
  ),
  (payload) => compileLegacy({ filter: { op: payload, field: 'path', value: payload } }, 'web', options),
  (payload) => compileLegacy({ filter: { op: 'exists', field: payload } }, 'web', options),
  (payload) =>
    compileLegacy(
      {
        aggregations: [{ op: 'count', field: '*', alias: payload }],
        groupBy: ['path', payload].slice(0, 1),
        order: [{ field: payload, desc: true }],
      },
      'web',
      options,
    ),
  (payload) =>
    compileLegacy(
      {
        project: [{ field: 'path', alias: payload }],
        order: [{ field: payload }],
        virtualFields: [{ alias: payload, expr: quoteString(payload) }],
      },
      'web',
      options,
    ),
  (payload) => compileLegacy({ virtualFields: [{ alias: 'x', expr: payload }] }, payload, options),
]

test('variables and legacy bodies are values too', () => {
  for (const [at, make] of BODIES.entries()) for (const payload of payloadsFor(at)) attempt(() => make(payload))
  intact()
})

test('the checks notice a guard that is missing', () => {
  const leak = "' UNION ALL SELECT 1, 2, secret, 4 FROM canary --"
  expect(() =>
    attempt(() => ({ ...compile('web', options), sql: `SELECT '${leak.replace(' 1, 2,', '').replace(', 4', '')}'` })),
  ).toThrow()
})
