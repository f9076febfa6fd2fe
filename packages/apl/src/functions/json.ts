/**
 * Functions on arrays and objects. Both are JSON text; an array is taken apart into the JSON texts of its items.
 * Deliberately not here: reaching into items and moving them (`array.ts`), series of numbers (`series.ts`), and `mv-expand`, which makes rows.
 */
import { mismatch } from '../error.ts'
import { numbers as numbersOf } from '../sql/mixed.ts'
import { fitted, json, overItems, typed, type Value } from '../sql/value.ts'
import { constantText, direct, type FunctionTable, named, special } from './definition.ts'

/** JSON texts of the items of an array; none for anything else. */
export const itemsOf = (sql: string) => `JSONExtractArrayRaw(ifNull(${sql}, ''))`
/** An array from JSON texts of its items. */
export const arrayOf = (items: string) => `concat('[', arrayStringConcat(${items}, ','), ']')`

const orNull = (sql: string) => `ifNull(${sql}, 'null')`
const array = (parameters: string, sql: (...args: string[]) => string) =>
  direct(parameters, 'dynamic', (...args) => `if(isNull(${args[0]}), NULL, ${arrayOf(sql(...args))})`, 'array')
/** Texts of the items, for functions that look at them as values. */
const texts = (items: string) => `arrayMap(i -> JSONExtract(i, 'Nullable(String)'), ${items})`
const numbers = (items: string) => `arrayMap(i -> JSONExtract(i, 'Nullable(Float64)'), ${items})`
/** Numbers by size, then text. */
const sorted = (name: string) =>
  array(
    'array:json',
    (a) =>
      `${name}(i -> tuple(ifNull(JSONExtract(i, 'Nullable(Float64)'), 0), ifNull(JSONExtract(i, 'Nullable(String)'), '')), ${itemsOf(a as string)})`,
  )

const packArray = special('value:any*', ({ arguments: values }) =>
  json(
    `concat('[', ${values.length === 0 ? "''" : values.map((value) => orNull(value.as('json'))).join(", ',', ")}, ']')`,
    'array',
  ),
)

const bagPack = special('key:any value:any*', ({ arguments: values, call }) => {
  if (values.length % 2 !== 0 || call.arguments.some(({ kind }) => kind === 'star'))
    throw mismatch(`${call.name}() takes pairs of a key and a value`, call.span)
  const parts = values.map((value, at) =>
    at % 2 === 0 ? `toJSONString(ifNull(${value.as('text')}, ''))` : orNull(value.as('json')),
  )
  const entries = parts.flatMap((part, at) => (at === 0 ? [part] : [at % 2 === 0 ? "','" : "':'", part]))
  return json(`concat('{', ${entries.length === 0 ? "''" : entries.join(', ')}, '}')`, 'map[string]')
})

/** Whether there is no text in it that is still to be read. */
const isJson = ({ kind, encoding, type }: Value) =>
  kind === 'dynamic' && encoding === 'json' && (type === 'array' || type === 'map[string]')

const parseJson = special('value:any', ({ arguments: [value] }) => {
  if (value && isJson(value)) return value
  const text = (value as Value).as('text')
  // Without NULL, because the engine takes no column of a dictionary of texts that may be missing.
  return json(`nullIf(if(isValidJSON(ifNull(${text}, '')), JSONExtractRaw(ifNull(${text}, '')), toJSONString(${text})), '')`)
})

/** The same, but a text that is not JSON is missing. */
const toDynamic = special('value:any', ({ arguments: [value] }) => {
  if (value && isJson(value)) return value
  const text = (value as Value).as('text')
  return json(`if(isValidJSON(ifNull(${text}, '')), nullIf(JSONExtractRaw(ifNull(${text}, '')), ''), NULL)`)
})

const beginsWith = (sign: '[' | '{') =>
  direct('value:json', 'boolean', (value) => `ifNull(startsWith(${value}, '${sign}'), false)`)

/** Position counted from 0, or from the end when negative, as the engine counts: from 1. */
const position = (at: string) => `toInt64(if(ifNull(${at}, 0) < 0, ifNull(${at}, 0), ifNull(${at}, 0) + 1))`

/** From a place to the one before another; both count from the end when negative. */
const slice = array('array:json start:integer end:integer', (a, from, to) => {
  const items = itemsOf(a as string)
  const place = (at: string | undefined) => `if(${at} < 0, greatest(toInt64(length(${items})) + ${at}, 0), ${at})`
  return `arraySlice(${items}, ${place(from)} + 1, greatest(${place(to)} - (${place(from)}), 0))`
})

/** The sum of the items that are numbers; NULL if there are none. */
const sumOf = (a: string): Value => {
  const unquoted = `arrayFilter(i -> NOT startsWith(i, '"'), ${itemsOf(a)})`
  const found = `arrayFilter(n -> n IS NOT NULL, ${numbers(unquoted)})`
  const wholes = `arrayFilter(n -> n IS NOT NULL, arrayMap(i -> toInt128(toInt64OrNull(i)), ${unquoted}))`
  const isWhole = `length(${wholes}) = length(${found})`
  const sum = (items: string) => `arraySum(arrayMap(n -> assumeNotNull(n), ${items}))`
  return numbersOf(
    `if(empty(${found}) OR NOT ${isWhole}, NULL, ${fitted(sum(wholes))})`,
    `if(empty(${found}) OR ${isWhole}, NULL, toFloat64(${sum(found)}))`,
  )
}

/** Objects inside one another whose keys `dynamic_to_json` sorts; those further inside keep their order. */
const SORTED_DEPTH = 4

/** JSON text with the keys of its objects in order. */
function canonical(sql: string, depth = SORTED_DEPTH): string {
  if (depth === 0) return sql
  const [entry, item] = [`e${depth}`, `i${depth}`]
  const members = `arrayMap(${entry} -> concat(toJSONString(${entry}.1), ':', ${canonical(`${entry}.2`, depth - 1)}), arraySort(${entry} -> ${entry}.1, JSONExtractKeysAndValuesRaw(${sql})))`
  const items = `arrayMap(${item} -> ${canonical(item, depth - 1)}, JSONExtractArrayRaw(${sql}))`
  return `multiIf(startsWith(${sql}, '{'), concat('{', arrayStringConcat(${members}, ','), '}'), startsWith(${sql}, '['), ${arrayOf(items)}, ${sql})`
}

/** An array cut at one place, or at each of several. */
const splitAt = special('array:json index:any', ({ arguments: [list, at] }) => {
  const [a, place] = [list as Value, at as Value]
  const items = itemsOf(a.as('json'))
  const places =
    place.kind === 'dynamic'
      ? `arrayMap(i -> ifNull(JSONExtract(i, 'Nullable(Int64)'), 0), ${itemsOf(place.as('json'))})`
      : `[ifNull(${place.as('integer')}, 0)]`
  const size = `toInt64(length(${items}))`
  const cuts = `arrayMap(i -> least(greatest(if(i < 0, i + ${size}, i), 0), ${size}), ${places})`
  const pieces = `arrayMap((lo, hi) -> ${arrayOf(`arraySlice(${items}, lo + 1, greatest(hi - lo, 0))`)}, arrayPushFront(${cuts}, toInt64(0)), arrayPushBack(${cuts}, ${size}))`
  return json(`if(isNull(${a.as('json')}), NULL, ${arrayOf(pieces)})`, 'array')
})

const rotate = (sign: string) =>
  array('array:json count:integer', (a, by) => {
    const items = itemsOf(a as string)
    const shift = `positiveModulo(${sign}ifNull(${by}, 0), greatest(toInt64(length(${items})), 1))`
    return `arrayConcat(arraySlice(${items}, ${shift} + 1), arraySlice(${items}, 1, ${shift}))`
  })

export const JSON_FUNCTIONS: FunctionTable = {
  dynamic: parseJson.shows("dynamic([1, 'two', null])", [1, 'two', null]),
  parse_json: parseJson.shows('parse_json(\'{"user": {"id": 7}}\').user.id', 7),
  todynamic: toDynamic.shows("todynamic('[1, 2]')", [1, 2]),
  dynamic_to_json: special('value:any', ({ arguments: [value] }) =>
    typed(
      'string',
      value?.kind === 'dynamic'
        ? `if(isNull(${value.as('json')}), NULL, arrayMap(v -> ${canonical('v')}, [ifNull(${value.as('json')}, '')])[1])`
        : (value as Value).as('text'),
    ),
  ).shows("dynamic_to_json(dynamic({'b': 1, 'a': 2}))", '{"a":2,"b":1}'),
  pack_array: packArray.shows("pack_array('a', 1)", ['a', 1]),
  ...named(['bag_pack', 'pack', 'pack_dictionary'], bagPack, "('host', 'web-1', 'code', 200)", { host: 'web-1', code: 200 }),
  array_length: special('array:json', ({ arguments: [list] }) =>
    typed(
      'integer',
      overItems(
        list as Value,
        (items) => `toInt64(length(${items}))`,
        (a) => `if(startsWith(${a}, '['), toInt64(JSONLength(ifNull(${a}, ''))), NULL)`,
      ),
    ),
  ).shows('array_length(dynamic([1, 2, 3]))', 3),
  array_concat: special('array:json*', ({ arguments: values }) =>
    json(
      arrayOf(`arrayConcat(${["CAST([], 'Array(String)')", ...values.map((value) => itemsOf(value.as('json')))].join(', ')})`),
      'array',
    ),
  ).shows('array_concat(dynamic([1, 2]), dynamic([3]))', [1, 2, 3]),
  array_reverse: array('array:json', (a) => `reverse(${itemsOf(a)})`).shows('array_reverse(dynamic([1, 2, 3]))', [3, 2, 1]),
  array_slice: slice.shows('array_slice(dynamic([1, 2, 3, 4]), 1, 3)', [2, 3]),
  array_sort_asc: sorted('arraySort').shows('array_sort_asc(dynamic([3, 1, 2]))', [1, 2, 3]),
  array_sort_desc: sorted('arrayReverseSort').shows('array_sort_desc(dynamic([3, 1, 2]))', [3, 2, 1]),
  array_sum: special('array:json', ({ arguments: [list] }) => sumOf((list as Value).as('json'))).shows(
    'array_sum(dynamic([1, 2, 3]))',
    6,
  ),
  array_rotate_left: rotate('').shows('array_rotate_left(dynamic([1, 2, 3]), 1)', [2, 3, 1]),
  array_rotate_right: rotate('-').shows('array_rotate_right(dynamic([1, 2, 3]), 1)', [3, 1, 2]),
  array_iff: array(
    'conditions:json values:json alternatives:json',
    (conditions, a, b) =>
      `arrayMap((c, i) -> if(c = 'true' OR ifNull(toFloat64OrNull(c), 0) != 0, ${orNull(`(if(startsWith(${a}, '['), nullIf(arrayElement(${itemsOf(a)}, i), ''), ${a}))`)}, ${orNull(`(if(startsWith(${b}, '['), nullIf(arrayElement(${itemsOf(b)}, i), ''), ${b}))`)}), ${itemsOf(conditions)}, arrayEnumerate(${itemsOf(conditions)}))`,
  ).shows('array_iff(dynamic([true, false]), dynamic([1, 2]), dynamic([3, 4]))', [1, 4]),
  strcat_array: special('array:json delimiter:text', (invocation) => {
    const delimiter = invocation.context.binder.text(constantText(invocation, 1))
    const joined = (items: string) => `arrayStringConcat(arrayMap(t -> ifNull(t, ''), ${items}), ${delimiter})`
    return typed(
      'string',
      overItems(invocation.argument(0), joined, (a) => joined(texts(itemsOf(a))), "''"),
    )
  }).shows("strcat_array(dynamic(['a', 'b']), '-')", 'a-b'),
  set_has_element: special('set:json value:json', ({ arguments: [list, item] }) => {
    const [array, wanted] = [list as Value, item as Value]
    const inJson = (a: string) => `has(${itemsOf(a)}, ${orNull(wanted.as('json'))})`
    return typed(
      'boolean',
      wanted.kind === 'string'
        ? overItems(array, (items) => `has(${items}, ${wanted.as('plain')})`, inJson, 'false')
        : inJson(array.as('json')),
    )
  }).shows('set_has_element(dynamic([1, 2]), 2)', true),
  set_union: array('set1:json set2:json', (a, b) => `arrayDistinct(arrayConcat(${itemsOf(a)}, ${itemsOf(b)}))`).shows(
    'set_union(dynamic([1, 2]), dynamic([2, 3]))',
    [1, 2, 3],
  ),
  set_intersect: array(
    'set1:json set2:json',
    (a, b) => `arrayFilter(i -> has(${itemsOf(b)}, i), arrayDistinct(${itemsOf(a)}))`,
  ).shows('set_intersect(dynamic([1, 2]), dynamic([2, 3]))', [2]),
  set_difference: array(
    'set1:json set2:json',
    (a, b) => `arrayFilter(i -> NOT has(${itemsOf(b)}, i), arrayDistinct(${itemsOf(a)}))`,
  ).shows('set_difference(dynamic([1, 2]), dynamic([2, 3]))', [1]),
  bag_keys: direct(
    'bag:json',
    'dynamic',
    (bag) => `if(startsWith(${bag}, '{'), toJSONString(JSONExtractKeys(ifNull(${bag}, ''))), NULL)`,
    'array',
  ).shows("bag_keys(dynamic({'a': 1, 'b': 2}))", ['a', 'b']),
  array_element: special('array:json index:integer', ({ arguments: [a, at] }) =>
    json(`nullIf(arrayElement(${itemsOf((a as Value).as('json'))}, ${position((at as Value).as('integer'))}), '')`),
  ).shows("array_element(dynamic(['a', 'b', 'c']), 1)", 'b'),
  array_split: splitAt.shows('array_split(dynamic([1, 2, 3, 4]), 2)', [
    [1, 2],
    [3, 4],
  ]),
  isarray: beginsWith('[').shows('isarray(dynamic([1]))', true),
  ismap: beginsWith('{').shows("ismap(dynamic({'a': 1}))", true),
}
