/**
 * Operators of the pipeline back to text, one entry for each kind of node: the compiler refuses a table that lacks one.
 * Deliberately not here: expressions and pipelines inside them; the printer is handed in.
 */
import type { Join, MakeSeries, Named, Operator, Parse, ParseKv, Pattern, Redact } from '../../src/tree/ast.ts'
import type { ExpressionPrinter } from './expression-printer.ts'

export type OperatorPrinter<O extends Operator> = (operator: O, printer: ExpressionPrinter) => string

export const OPERATOR_PRINTERS: { readonly [K in Operator['kind']]: OperatorPrinter<Extract<Operator, { kind: K }>> } = {
  where: ({ predicate }, printer) => `where ${printer.expression(predicate)}`,
  extend: ({ columns }, printer) => `extend ${named(columns, printer)}`,
  project: ({ columns }, printer) => `project ${named(columns, printer)}`,
  'extend-valid': ({ columns }, printer) => `extend-valid ${named(columns, printer)}`,
  'project-away': ({ patterns }, printer) => `project-away ${patternList(patterns, printer)}`,
  'project-keep': ({ patterns }, printer) => `project-keep ${patternList(patterns, printer)}`,
  'project-reorder': ({ patterns }, printer) =>
    `project-reorder ${printer.list(patterns, (pattern) => `${printer.pattern(pattern)}${pattern.order ? ` ${pattern.order}` : ''}`)}`,
  'project-rename': ({ renames }, printer) =>
    `project-rename ${printer.list(renames, ({ to, from }) => `${printer.target(to)} = ${printer.expression(from)}`)}`,
  summarize: ({ aggregates, by }, printer) => `summarize ${named(aggregates, printer)}${grouping(by, printer)}`,
  distinct: ({ columns }, printer) => `distinct ${named(columns, printer)}`,
  count: () => 'count',
  sort: ({ keys }, printer) => `sort by ${printer.list(keys, (key) => printer.sortKey(key))}`,
  limit: ({ count }, printer) => `limit ${printer.expression(count)}`,
  top: ({ count, keys }, printer) => `top ${printer.expression(count)} by ${printer.list(keys, (key) => printer.sortKey(key))}`,
  sample: ({ share }, printer) => `sample ${printer.expression(share)}`,
  search: ({ caseSensitive, predicate }, printer) =>
    `search ${caseSensitive ? 'kind=case_sensitive ' : ''}${printer.expression(predicate)}`,
  parse: printParse,
  'parse-kv': printParseKv,
  redact: printRedact,
  'mv-expand': ({ form, indexName, columns, limit }, printer) => {
    const list = printer.list(columns, (column) => `${printer.named(column)}${column.type ? ` to typeof(${column.type})` : ''}`)
    const index = indexName === undefined ? '' : `with_itemindex=${printer.name(indexName)} `
    return `mv-expand ${form === 'array' ? 'kind=array ' : ''}${index}${list}${limit ? ` limit ${printer.expression(limit)}` : ''}`
  },
  'make-series': printMakeSeries,
  getschema: () => 'getschema',
  union: (operator, printer) => `union ${printer.members(operator.members, operator)}`,
  join: printJoin,
}

function named(columns: readonly Named[], printer: ExpressionPrinter): string {
  return printer.list(columns, (column) => printer.named(column))
}

function patternList(patterns: readonly Pattern[], printer: ExpressionPrinter): string {
  return printer.list(patterns, (pattern) => printer.pattern(pattern))
}

function grouping(by: readonly Named[], printer: ExpressionPrinter): string {
  return by.length > 0 ? ` by ${named(by, printer)}` : ''
}

function printParseKv({ expression, keys, pairDelimiter, kvDelimiter, quote }: ParseKv, printer: ExpressionPrinter): string {
  const list = printer.list(keys, ({ name, type }) => `${printer.name(name)}${type ? `:${type}` : ''}`)
  const text = (value: string) => printer.literal({ type: 'string', value })
  const marks = quote === undefined ? '' : `, quote=${text(quote)}`
  return `parse-kv ${printer.expression(expression)} as (${list}) with (pair_delimiter=${text(pairDelimiter)}, kv_delimiter=${text(kvDelimiter)}${marks})`
}

function printRedact({ token, hash, groups, auditField, regexes, fields }: Redact, printer: ExpressionPrinter): string {
  const text = (value: string) => printer.literal({ type: 'string', value })
  const list = printer.list(regexes, ({ name, regex }) => `${name === undefined ? '' : `${name}=`}${text(regex)}`)
  const audit = auditField === undefined ? '' : ` auditField=${printer.name(auditField)}`
  const on = fields ? ` on ${patternList(fields, printer)}` : ''
  return `redact replaceToken=${text(token)} replaceHash=${hash} redactGroups=${groups}${audit} ${list}${on}`
}

function printParse({ mode, flags, filters, expression, parts }: Parse, printer: ExpressionPrinter): string {
  const pieces = parts.map(({ text, column, type }) => {
    if (text !== undefined) return printer.literal({ type: 'string', value: text })
    return column === undefined ? '*' : `${printer.name(column)}${type ? `:${type}` : ''}`
  })
  const keyword = filters ? 'parse-where' : 'parse'
  return `${keyword} ${mode === 'simple' ? '' : `kind=${mode} `}${flags ? `flags=${flags} ` : ''}${printer.expression(expression)} with ${pieces.join(' ')}`
}

function printMakeSeries({ aggregates, axis, from, to, step, by }: MakeSeries, printer: ExpressionPrinter): string {
  const columns = printer.list(
    aggregates,
    (column) => `${printer.named(column)}${column.default ? ` default=${printer.expression(column.default)}` : ''}`,
  )
  const ends = `${from ? ` from ${printer.expression(from)}` : ''}${to ? ` to ${printer.expression(to)}` : ''}`
  return `make-series ${columns} on ${printer.expression(axis)}${ends} step ${printer.expression(step)}${grouping(by, printer)}`
}

function printJoin({ lookup, join: kind, right, on }: Join, printer: ExpressionPrinter): string {
  const pairs = printer.list(on, ({ left: a, right: b }) => {
    const [x, y] = [printer.expression(a), printer.expression(b)]
    if (x === y) return x
    return a.kind === 'name' && b.kind === 'name'
      ? `$left.${printer.name(a.name)} == $right.${printer.name(b.name)}`
      : `${x} == ${y}`
  })
  return `${lookup ? 'lookup' : 'join'} kind=${kind} ${printer.branch(right)} on ${pairs}`
}
