/**
 * Texts that are made of parts: pairs, lines of CSV, paths, URLs.
 * Deliberately not here: reading URLs (`text.ts`), and `parse`, which makes columns.
 */

import { json, type Value } from '../sql/value.ts'
import { quoteRegex } from '../values/text-match.ts'
import { constantText, direct, type FunctionTable, special } from './definition.ts'
import { itemsOf } from './json.ts'

const textOr = (sql: string) => `ifNull(${sql}, '')`
/** An object of texts. */
const objectOf = (members: Readonly<Record<string, string>>) =>
  `concat('{', ${Object.entries(members)
    .map(([name, sql], at) => `'${at === 0 ? '' : ','}"${name}":', toJSONString(${sql})`)
    .join(', ')}, '}')`

const SEPARATOR = "':'"
const separatorOf = (value: Value | undefined) => (value ? `ifNull(${value.as('text')}, ${SEPARATOR})` : SEPARATOR)

/** The halves of a text around its first separator; without one all of it is the value. */
const beforeSeparator = (text: string, separator: string) =>
  `if(position(${text}, ${separator}) = 0, '', substring(${text}, 1, position(${text}, ${separator}) - 1))`
const behindSeparator = (text: string, separator: string) =>
  `if(position(${text}, ${separator}) = 0, ${text}, substring(${text}, position(${text}, ${separator}) + length(${separator})))`
const pairOf = (key: string, value: string, separator: string) => json(objectOf({ key, value, separator }), 'map[string]')

/** A pattern in which `*` stands for any characters. */
const wildcard = (pattern: string) => `(?s)^${pattern.split('*').map(quoteRegex).join('.*')}$`

const findPair = special('array:json keyPattern:text valuePattern:text separator:text?', (invocation) => {
  const { binder } = invocation.context
  const [key, value] = [1, 2].map((at) => binder.text(wildcard(constantText(invocation, at)))) as [string, string]
  const separator = separatorOf(invocation.call.arguments[3] && invocation.argument(3))
  const texts = `arrayMap(i -> ifNull(JSONExtract(i, 'Nullable(String)'), ''), ${itemsOf(invocation.argument(0).as('json'))})`
  const isFound = `position(t, ${separator}) > 0 AND match(${beforeSeparator('t', separator)}, ${key}) AND match(${behindSeparator('t', separator)}, ${value})`
  const found = `arrayFilter(t -> ${isFound}, ${texts})`
  const pair = objectOf({ key: beforeSeparator('t', separator), value: behindSeparator('t', separator), separator })
  return json(`nullIf(arrayMap(t -> ${pair}, arraySlice(${found}, 1, 1))[1], '')`, 'map[string]')
})

/** The first line; quotes may hold commas, line ends, and quotes that are doubled. A comma before makes each value the same. */
const CSV_LINE = '(?s)^((?:"(?:[^"]|"")*"|[^\\r\\n])*)'
const CSV_VALUE = ',(?:"((?:[^"]|"")*)"|([^,]*))'

const parseCsv = special('source:text', ({ arguments: [value], context }) => {
  const text = (value as Value).as('text')
  const line = `concat(',', extract(${textOr(text)}, ${context.binder.text(CSV_LINE)}))`
  const values = `arrayMap(g -> if(g[1] = '', g[2], replaceAll(g[1], '""', '"')), extractAllGroupsVertical(${line}, ${context.binder.text(CSV_VALUE)}))`
  return json(`if(isNull(${text}), NULL, toJSONString(${values}))`, 'array')
})

/** Scheme, directory, file and alternate stream of a path or URL; both kinds of slash. */
const PATH = '^(?:([A-Za-z][-+.0-9A-Za-z]+)://)?(?:(.*)[/\\\\])?([^/\\\\:]*)(?::([^/\\\\]*))?$'

const parsePath = special('source:text', ({ arguments: [value], context }) => {
  const text = (value as Value).as('text')
  const { binder } = context
  const extracted = (part: string, pattern: string) => `extract(${part}, ${binder.text(pattern)})`
  const members = objectOf({
    Scheme: 'g[1]',
    RootPath: extracted('g[2]', '^([A-Za-z]:)'),
    DirectoryPath: 'g[2]',
    DirectoryName: extracted('g[2]', '([^/\\\\:]*)$'),
    Filename: 'g[3]',
    Extension: extracted('g[3]', '\\.([^.]*)$'),
    AlternateDataStreamName: 'g[4]',
  })
  return json(
    `if(isNull(${text}), NULL, arrayMap(g -> ${members}, [extractGroups(${textOr(text)}, ${binder.text(`(?s)${PATH}`)})])[1])`,
    'map[string]',
  )
})

/** A URL from the members that `parse_url` gives; `user` is another name of `username`. */
const formatUrl = direct('parts:json', 'string', (parts) => {
  const member = (name: string) => textOr(`JSONExtract(${textOr(parts as string)}, '${name}', 'Nullable(String)')`)
  const before = (mark: string, sql: string) => `if(${sql} = '', '', concat('${mark}', ${sql}))`
  const user = `if(${member('user')} = '', ${member('username')}, ${member('user')})`
  const login = `if(${user} = '', '', concat(encodeURLComponent(${user}), ${before(':', `encodeURLComponent(${member('password')})`)}, '@'))`
  const scheme = `if(${member('scheme')} = '', '', concat(${member('scheme')}, '://'))`
  const path = `concat(if(${member('host')} != '' AND ${member('path')} != '' AND NOT startsWith(${member('path')}, '/'), '/', ''), replaceAll(${member('path')}, ' ', '%20'))`
  const url = `concat(${scheme}, ${login}, ${member('host')}, ${before(':', member('port'))}, ${path}, ${before('?', member('query'))}, ${before('#', `replaceAll(${member('fragment')}, ' ', '%20')`)})`
  return `if(startsWith(${parts}, '{'), ${url}, NULL)`
})

export const PART_FUNCTIONS: FunctionTable = {
  pair: special('key:text value:text separator:text?', ({ arguments: [key, value, separator] }) =>
    pairOf(textOr((key as Value).as('text')), textOr((value as Value).as('text')), separatorOf(separator)),
  ).shows("pair('host', 'web-1')", { key: 'host', value: 'web-1', separator: ':' }),
  parse_pair: special('source:text separator:text?', ({ arguments: [value, separator] }) => {
    const [text, between] = [textOr((value as Value).as('text')), separatorOf(separator)]
    return pairOf(beforeSeparator(text, between), behindSeparator(text, between), between)
  }).shows("parse_pair('host:web-1').value", 'web-1'),
  find_pair: findPair.shows("find_pair(dynamic(['host:web-1', 'zone:eu']), 'zone', '*').value", 'eu'),
  parse_csv: parseCsv.shows('parse_csv(\'a,"b,c"\')', ['a', 'b,c']),
  parse_path: parsePath.shows("parse_path('/var/log/app.log').Filename", 'app.log'),
  format_url: formatUrl.shows(
    "format_url(dynamic({'scheme': 'https', 'host': 'example.com', 'path': '/a'}))",
    'https://example.com/a',
  ),
}
