/**
 * What a query can have beside operators of the pipeline and functions: statements, sources, literals, and the words between values.
 * For people and for completing; the parsers know the same by themselves, and a test runs every example.
 * Deliberately not here: what anything means.
 */
import { TEXT_WORDS } from './infix.ts'

interface Form {
  readonly name: string
  readonly syntax: string
  /** A whole query that has it. */
  readonly example: string
}

const TEXT = {
  contains: "print x = 'Hello world' contains 'WORLD'",
  startswith: "print x = 'Hello world' startswith 'hello'",
  endswith: "print x = 'Hello world' endswith 'World'",
  has: "print x = 'GET /api/users' has 'api'",
  hasprefix: "print x = 'GET /api/users' hasprefix 'use'",
  hassuffix: "print x = 'GET /api/users' hassuffix 'ers'",
} satisfies Record<(typeof TEXT_WORDS)[number], string>

export const FORMS: readonly Form[] = [
  {
    name: 'let',
    syntax: 'let name = expression | dataset | … | (parameter: type, …) { … };',
    example: 'let limit_ms = 500; print slow = 730 > limit_ms',
  },
  {
    name: 'declare query_parameters',
    syntax: 'declare query_parameters (name: type [= value], …);',
    example: 'declare query_parameters (code: long = 500); print error = code >= 500',
  },
  { name: 'set', syntax: 'set option [= value];', example: 'set truncationmaxsize = 1048576; print x = 1' },
  { name: 'print', syntax: 'print [name =] expression, …', example: "print joined = strcat('a', '-', 'b')" },
  {
    name: 'datatable',
    syntax: 'datatable (name: type, …) [value, …]',
    example: "datatable (city: string, n: long) ['Oslo', 1, 'Rome', 2] | where n > 1",
  },
  { name: 'range', syntax: 'range name from value to value step value', example: 'range x from 1 to 5 step 1 | where x > 2' },
  {
    name: 'mv-apply',
    syntax: '| mv-apply [name =] array [to typeof(type)], … on (where … | extend … | parse … | mv-expand …)',
    example: 'print x = dynamic([1, 2]) | mv-apply x on (where x > 1 | extend y = x + 1)',
  },
  {
    name: 'search',
    syntax: 'search [in (dataset | pattern*, …)] ["term" | *] | field:"term" | predicate',
    example: 'search in (web) "oslo" | count',
  },
  { name: 'table', syntax: "table('name' | parameter)", example: "let dataset = 'web'; table(dataset) | count" },
  {
    name: 'union',
    syntax: 'union [kind = outer | inner] [withsource = name] dataset | pattern*, …',
    example: 'union web, users | count',
  },
  { name: 'between', syntax: 'value between (low .. high)', example: 'print x = 5 between (1 .. 10)' },
  {
    name: 'in',
    syntax: 'value in (value, … | dataset | …), !in; in~ !in~ ignore case',
    example: "print x = 'GET' in~ ('get', 'post')",
  },
  {
    name: 'has_any',
    syntax: 'text has_any (term | array | dataset, …), !has_any, has_any_cs, !has_any_cs',
    example: "print x = 'GET /api/users' has_any ('users', 'orders')",
  },
  { name: 'has_all', syntax: 'text has_all (term, …)', example: "print x = 'GET /api/users' has_all ('api', 'users')" },
  ...TEXT_WORDS.map((name) => ({ name, syntax: `text ${name} text, !${name}, ${name}_cs, !${name}_cs`, example: TEXT[name] })),
  {
    name: 'matches regex',
    syntax: "text matches regex 'pattern'",
    example: "print x = 'status 503' matches regex 'status 5[0-9]{2}'",
  },
  { name: 'and', syntax: 'condition and condition', example: 'print x = 1 < 2 and 2 < 3' },
  { name: 'or', syntax: 'condition or condition', example: 'print x = 1 > 2 or 2 < 3' },
]
