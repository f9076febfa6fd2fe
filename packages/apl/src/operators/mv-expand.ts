/**
 * `mv-expand`: a row for each item of an array. Objects give one object for each key; anything else stays one row.
 * Deliberately not here: operators applied to each array by itself (`mv-apply`).
 */

import { CompileError } from '../error.ts'
import type { Relation } from '../sql/relation.ts'
import { JSON_TEXT, json, overItems, typed, type Value, withName } from '../sql/value.ts'
import type { MvExpand } from '../tree/ast.ts'
import { impliedName } from '../tree/expression-name.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import { COLUMN_TYPES, readAs } from '../tree/typed-names.ts'
import type { Context } from '../values/context.ts'
import type { OperatorDefinition } from './definition.ts'

/** What they read keeps its name. */
const JSON_READERS = new Set(['todynamic', 'parse_json'])

/** Items of an array as JSON texts. */
function itemsSql(value: Value, form: MvExpand['form']): string {
  const text = `ifNull(${value.as('json')}, 'null')`
  const [open, between, close] = form === 'bag' ? ['{', ':', '}'] : ['[', ',', ']']
  const entries = `arrayMap(e -> concat('${open}', toJSONString(e.1), '${between}', e.2, '${close}'), JSONExtractKeysAndValuesRaw(${text}))`
  return `multiIf(startsWith(${text}, '['), JSONExtractArrayRaw(${text}), startsWith(${text}, '{'), ${entries}, [${text}])`
}

function jsonSql(value: Value, form: MvExpand['form']): string {
  const written = (items: string) => `arrayMap(i -> ifNull(toJSONString(i), 'null'), ${items})`
  return overItems(value, written, () => itemsSql(value, form), "['null']")
}

/** The same as texts, where the items are texts; elsewhere each item as one. */
function textsSql(value: Value, form: MvExpand['form']): string {
  return overItems(
    value,
    (items) => `CAST(${items}, 'Array(Nullable(String))')`,
    () => `arrayMap(i -> ${JSON_TEXT('i')}, ${itemsSql(value, form)})`,
    "[CAST(NULL, 'Nullable(String)')]",
  )
}

function compile({ form, indexName, columns, limit }: MvExpand, before: Relation, context: Context): Relation {
  const open = before.ungrouped()
  const input = open.select.arrayJoins.length > 0 ? open.nested() : open
  const values = columns.map(({ expression }) => context.expression(expression, input))
  const arrays = values.map((value) => jsonSql(value, form))
  const longest = arrays.length === 1 ? undefined : `greatest(${arrays.map((array) => `length(${array})`).join(', ')})`
  const most = limit && context.binder.count(context.count(limit, 'the limit of mv-expand'))
  const names = columns.map(({ name, expression }) => {
    const isReader = expression.kind === 'call' && JSON_READERS.has(expression.name)
    const read = isReader ? expression.arguments[0] : expression.kind === 'index' ? expression.object : undefined
    const known = name ?? impliedName(read ?? expression)
    if (known === undefined)
      throw new CompileError('syntax', 'mv-expand needs a name for a computed array', expression.span, 'write name = expression')
    return known
  })
  const expanded = (array: string) => {
    const padded = longest ? `arrayResize(${array}, ${longest}, 'null')` : array
    return most ? `arraySlice(${padded}, 1, ${most})` : padded
  }
  const added = new Map(
    arrays.map((array, at) => {
      const alias = input.select.aliases.column()
      const item = json(`nullIf(${alias}, 'null')`)
      const text = columns.length === 1 && values[at]?.texts ? input.select.aliases.column() : undefined
      // The first is what is expanded where nothing is read.
      if (text !== undefined) input.select.arrayJoins.push(`${expanded(textsSql(values[at] as Value, form))} AS ${text}`)
      input.select.arrayJoins.push(`${expanded(array)} AS ${alias}`)
      const { storedKey } = values[at] as Value
      const read: Value = {
        ...item,
        ...(storedKey && { storedKey }),
        as: (view) => (view === 'text' && text !== undefined ? text : item.as(view)),
      }
      return [names[at] as string, withName(names[at], readAs(read, columns[at]?.type ?? 'dynamic'))] as const
    }),
  )
  if (indexName !== undefined) {
    const alias = input.select.aliases.column()
    input.select.arrayJoins.push(`arrayEnumerate(${expanded(arrays[0] as string)}) AS ${alias}`)
    added.set(indexName, typed('integer', `(toInt64(${alias}) - 1)`, { nullable: false }))
  }
  return input.with({ unique: false }).extended(added)
}

/** options = [("kind"|"bagexpansion") "=" ("bag"|"array")] ["with_itemindex" "=" name] */
function options(parser: ExpressionParser): Pick<MvExpand, 'form' | 'indexName'> {
  let form: MvExpand['form'] = 'bag'
  let indexName: string | undefined
  while (parser.isSymbol('=', 1)) {
    // `kind = tags` may also be a column of that name.
    if (parser.isWord('kind') && !/^(?:bag|array)$/.test(parser.peek(2).text)) break
    const option = parser.acceptWord('kind', 'bagexpansion', 'with_itemindex')
    if (option === undefined) break
    parser.next()
    if (option === 'with_itemindex') indexName = parser.columnName()
    else form = parser.expectOneOf(['bag', 'array'] as const, 'kind of mv-expand')
  }
  return { form, ...(indexName !== undefined && { indexName }) }
}

export const mvExpand: OperatorDefinition<'mv-expand'> = {
  keywords: ['mv-expand', 'mvexpand'],
  syntax: '[kind = bag | array] [with_itemindex = name] [name =] array [to typeof(type)], … [limit count]',
  parse: (parser) => {
    const { form, indexName } = options(parser)
    const columns = parser.list(() => {
      const column = parser.named()
      if (!parser.acceptWord('to')) return column
      parser.expectWord('typeof', 'after to')
      parser.expectSymbol('(', 'after typeof')
      const type = parser.expectOneOf(COLUMN_TYPES, 'type')
      parser.expectSymbol(')', 'after the type')
      return { ...column, type }
    })
    const limit = parser.acceptWord('limit')
    // `limit=5` is written too.
    if (limit) parser.acceptSymbol('=')
    return { form, ...(indexName !== undefined && { indexName }), columns, ...(limit && { limit: parser.expression() }) }
  },
  compile,
}
