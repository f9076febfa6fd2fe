/**
 * Texts that would cost much where nothing stopped them, as large as a text may be: what each is refused with, or that it compiles.
 * Over the dataset `web`.
 */
import { QUERY_LENGTH_MAX } from '../../src/limits.ts'

const times = (count: number, part: (n: number) => string, separator = '') =>
  Array.from({ length: count }, (_, n) => part(n)).join(separator)

/** As many parts as fit into a text. */
function fill(head: string, part: (n: number) => string, tail = '', separator = ', '): string {
  let text = head + part(0)
  for (let n = 1; ; n++) {
    const next = separator + part(n)
    if (text.length + next.length + tail.length > QUERY_LENGTH_MAX) return text + tail
    text += next
  }
}

/** Each of a number of `let`s uses the one before it twice, as `$`, and so does what follows them with the last one. */
function doubled(count: number, first: string, next: string, last: string): string {
  const lets = times(count, (n) => `let v${n + 1} = ${next.replaceAll('$', `v${n}`)};\n`)
  return `let v0 = ${first};\n${lets}${last.replaceAll('$', `v${count}`)}`
}

const OPERATORS = 'the query has more than 128 operators'
const COMPILED = 'the query becomes more than 256 operators'
const NESTED = 'nested too deeply'
const ITEMS = 'the list has more than 1024 items, of which this is the next'
const CONSTANTS = 'the list has more than 10000 items, of which this is the next'

/** The text, and a part of the refusal; without one the text compiles. */
export const LARGE_TEXTS: Readonly<Record<string, readonly [text: string, refusal?: string]>> = {
  'unions in let': [doubled(17, 'web', '$ | union $', '$ | count'), COMPILED],
  'joins in let': [doubled(17, 'web', '$ | join $ on code', '$ | count'), COMPILED],
  'texts in let': [doubled(60, "'x'", 'strcat($, $)', 'web | where path == $'), 'the expression is too large'],
  'sums in let': [doubled(60, 'now()', 'iff($ > now(), $, now())', 'web | where _time == $'), 'too large'],
  'functions in let': [
    `let f0 = (x:long) { x + 1 };\n${times(20, (n) => `let f${n + 1} = (x:long) { f${n}(x) + f${n}(x) };\n`)}web | extend y = f20(code)`,
    'the functions of the query become more than 10000 parts',
  ],
  'arguments that are used twice': [
    `let d = (x: long) { x + x }; print ${'d('.repeat(40)}1${')'.repeat(40)}`,
    'the functions of the query become more than 10000 parts',
  ],
  'functions inside one another': [
    `let f0 = (x: long) { -x };\n${times(59, (n) => `let f${n + 1} = (x: long) { -(${`f${n}(`.repeat(20)}x${')'.repeat(20)}) };\n`)}print f59(1)`,
    'the functions of the query are nested too deeply',
  ],
  'tables in conditions': [doubled(40, 'web | where ok', 'web | where id in ($) or id !in ($)', '$'), COMPILED],
  'functions of rows': [
    `let f0 = () { web | where ok };\n${times(39, (n) => `let f${n + 1} = () { union (f${n}()), (f${n}()) };\n`)}f39()`,
    COMPILED,
  ],
  'lists in lists': [
    `web | where id in ${'(web | where id in '.repeat(8)}(1)${')'.repeat(8)}`,
    'queries in expressions are nested too deeply (limit 4)',
  ],
  'many lets': [fill('', (n) => `let t${n} = web | where code > ${n};`, 'web', '\n'), OPERATORS],
  'columns of extend': [fill('web | extend ', (n) => `c${n}=code`), ITEMS],
  'columns of project': [fill('web | project ', (n) => `c${n}=code`), ITEMS],
  'columns of print': [fill('print ', (n) => `c${n}=${n}`), ITEMS],
  aggregates: [fill('web | summarize ', (n) => `c${n}=countif(code==${n})`), ITEMS],
  'groups of a summarize': [fill('web | summarize count() by ', (n) => `c${n}=code%${n + 1}`), ITEMS],
  'keys of an order': [fill('web | sort by ', () => 'code'), ITEMS],
  'arguments of a call': [fill('web | extend c = strcat(', () => 'path', ')'), ITEMS],
  'columns of several extends': [
    times(3, (e) => `${e === 0 ? 'web' : ''} | extend ${times(700, (n) => `c${n}=code`, ', ')}`),
    'the query writes more than 2048 columns',
  ],
  'columns of an answer': [
    `web${times(2, (e) => ` | extend ${times(600, (n) => `c${e}_${n}=code`, ', ')}`)}`,
    'there are 1200 columns after this operator (limit 1024)',
  ],
  'columns through operators': [
    `web | extend ${times(1_000, (n) => `c${n}=code`, ', ')}${times(20, (n) => ` | extend d=c${n}`)}`,
    'the operators up to this one carry 7006 columns in all (limit 6144)',
  ],
  'columns of a datatable': [fill('datatable (', (n) => `c${n}:long`, ') []'), ITEMS],
  'values of a datatable': [
    fill('datatable (x:long) [', (n) => String(n % 10), ']'),
    'the datatable has more than 10000 values, of which this is the next',
  ],
  'a list of constants': [fill('web | where code in (', (n) => String(n % 10), ')'), CONSTANTS],
  'an array of constants': [fill('print x = dynamic([', (n) => String(n % 10), '])'), CONSTANTS],
  'conditions joined by and': [
    fill('web | where ', (n) => `code>${n}`, '', ' and '),
    'more than 2000 conditions are joined by "and"',
  ],
  'terms of search': [fill('search ', (n) => `'t${n}'`, '', ' or '), 'more than 2000 conditions are joined by "or"'],
  'branches of a union': [`union ${times(300, () => 'web', ', ')}`, COMPILED],
  'rows times columns': [`web | extend ${times(200, (n) => `c${n}=code`, ', ')} | limit 65000`],
  'a sum of many': [fill('web | extend c = ', () => 'code', '', '+'), NESTED],
  'opening brackets': [`web | where ${'('.repeat(65_000)}`, NESTED],
  'signs before a number': [`web | extend c = ${'-'.repeat(65_000)}code`, NESTED],
  'indexes behind one another': [`web | extend x = tags${'[0]'.repeat(20_000)}`, NESTED],
  'parts of a name': [`web | where ${'a.'.repeat(30_000)}a == 1`, NESTED],
  'queries in queries': [
    `web | where code in (${times(30, () => 'web | where code in (')}web | project code${')'.repeat(31)}`,
    NESTED,
  ],
  'calls in calls': [`web | where ${'not('.repeat(500)}ok${')'.repeat(500)}`, NESTED],
  'functions of times in functions': [
    `web | where ${'tostring('.repeat(50)}todatetime(${'totimespan('.repeat(5)}path${')'.repeat(5)})${')'.repeat(50)} == 'x'`,
  ],
  'arrays in arrays': [`print x = dynamic(${'['.repeat(2_000)}${']'.repeat(2_000)})`, NESTED],
  'steps in steps': [`web${' | take 5 | where ok'.repeat(60)}`, 'the query needs more than 32 nested steps'],
  'computed items': [
    `web | where code in (${times(1_000, (n) => `strlen('${n}')`, ',')})`,
    'a list of mixed or computed items holds at most 500',
  ],
  pipes: [`web ${'|'.repeat(65_000)}`, 'is not an operator'],
  'a long text': [`web | where path == '${'x'.repeat(65_000)}'`],
  'a long text of escapes': [`web | where path == '${'\\n'.repeat(32_000)}'`],
  comments: [`web ${'// x\n'.repeat(12_000)}`],
  'blanks before the end of a time': [`datetime(1${' '.repeat(65_000)}`, '"datetime" is not supported as a source'],
  'blanks in a time after which there is more': [`web | where _time > datetime(1${' '.repeat(65_000)}x`, 'x'],
  'digits of a text that is no number': [`web | where code == '${'1'.repeat(65_000)}x'`],
  'brackets in a text': [`web | where path =~ '${'['.repeat(65_000)}'`],
  'parts of the name of a column': [`web | summarize ['${'.jvm.s'.repeat(10_000)}'] = count()`],
  'more than a text may have': [`web | where path == '${'x'.repeat(QUERY_LENGTH_MAX)}'`, '65536'],
}
