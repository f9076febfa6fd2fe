/**
 * Functions on arrays that reach into their items, move them, or make other things of them. An array is JSON text.
 * Deliberately not here: concatenation, sorting, sets (`json.ts`), and arithmetic on numbers (`series.ts`).
 */
import { mismatch, NOWHERE } from '../error.ts'
import { json, typed, type Value } from '../sql/value.ts'
import { constantText, direct, type FunctionTable, type Invocation, special } from './definition.ts'
import { arrayOf, itemsOf } from './json.ts'

const orNull = (sql: string) => `ifNull(${sql}, 'null')`

/** One step of a JSON path: every item, the item at a place, or the member under a key. */
type Step = '*' | bigint | string
const STEP = /\s*(?:\[\s*(?:(\*)|(-?\d+)|'([^']*)'|"([^"]*)")\s*\]|\.(?:(\*)|([A-Za-z_][\w-]*)))/y

/**
 * The steps of `$[*].key`, `$.key[0]`, `$['a key']`.
 * @throws CompileError where the text is no such path
 */
function pathOf(path: string, invocation: Invocation): Step[] {
  const text = path.trim()
  const steps: Step[] = []
  STEP.lastIndex = 1
  while (text.startsWith('$') && STEP.lastIndex < text.length) {
    const found = STEP.exec(text)
    if (!found) break
    const [whole, star, index, single, double, dotStar, name] = found
    steps.push(star || dotStar ? '*' : index === undefined ? (single ?? double ?? (name as string)) : BigInt(index))
    if (STEP.lastIndex === text.length) return steps
    if (whole === '') break
  }
  if (text === '$') return steps
  throw mismatch(
    `"${text.slice(0, 40)}" is not a path into JSON`,
    invocation.call.arguments[1]?.span ?? NOWHERE,
    "write '$[*].key' or '$[0].key'",
  )
}

/** A step as the engine counts, from 1. */
const placeOf = (step: Step, { context: { binder } }: Invocation) =>
  typeof step === 'string' ? binder.text(step) : binder.integer(step < 0n ? step : step + 1n)

const arrayExtract = special('array:json path:text', (invocation) => {
  const found = pathOf(constantText(invocation, 1), invocation).reduce<string>(
    (items, step) => {
      if (step === '*') return `arrayFlatten(arrayMap(i -> JSONExtractArrayRaw(i), ${items}))`
      return `arrayFilter(i -> i != '', arrayMap(i -> JSONExtractRaw(i, ${placeOf(step, invocation)}), ${items}))`
    },
    `[ifNull(${invocation.argument(0).as('json')}, '')]`,
  )
  return json(arrayOf(found), 'array')
})

/** Items move toward the beginning, or the end; what comes in is null or the third argument. */
const shift = (name: string) =>
  special('array:json count:integer? filler:any?', ({ arguments: [list, by, filler] }) => {
    const [a, places] = [(list as Value).as('json'), by ? `ifNull(${by.as('integer')}, 0)` : '1']
    const items = itemsOf(a)
    // The engine copies as many items as the call says.
    const size = `toInt64(length(${items}))`
    const moved = `${name}(${items}, greatest(least(${places}, ${size}), -${size}), ${filler ? orNull(filler.as('json')) : "'null'"})`
    return json(`if(startsWith(${a}, '['), ${arrayOf(moved)}, NULL)`, 'array')
  })

/** The place of an item, from 0, or -1; within so many items from a place on, and at its so-manieth time. */
const indexOf = direct(
  'array:json value:json start:integer? length:integer? occurrence:integer?',
  'integer',
  (a, item, start, length, occurrence) => {
    const items = itemsOf(a as string)
    const answer = (sql: string) => `if(startsWith(${a}, '['), ${sql}, NULL)`
    if (start === undefined) return answer(`toInt64(indexOf(${items}, ${orNull(item as string)})) - 1`)
    const from = `if(ifNull(${start}, 0) < 0, greatest(toInt64(length(${items})) + ${start}, 0), ifNull(${start}, 0))`
    const inReach = length === undefined ? '' : ` AND (ifNull(${length}, -1) < 0 OR p - 1 < ${from} + ${length})`
    const places = `arrayFilter((p, i) -> i = ${orNull(item as string)} AND p - 1 >= ${from}${inReach}, arrayEnumerate(${items}), ${items})`
    const nth = occurrence === undefined ? '1' : `ifNull(${occurrence}, 1)`
    return answer(`if(${nth} BETWEEN 1 AND length(${places}), toInt64(${places}[${nth}]) - 1, toInt64(-1))`)
  },
)

/** Keys and values zipped into an object, as many as there are of both. */
const bagZip = special('keys:json values:json', ({ arguments: [keys, values] }) => {
  const [k, v] = [itemsOf((keys as Value).as('json')), itemsOf((values as Value).as('json'))]
  const both = `1, least(length(${k}), length(${v}))`
  const members = `arrayMap((k, v) -> concat(toJSONString(ifNull(JSONExtract(k, 'Nullable(String)'), '')), ':', v), arraySlice(${k}, ${both}), arraySlice(${v}, ${both}))`
  return json(`concat('{', arrayStringConcat(${members}, ','), '}')`, 'map[string]')
})

/** Whether an object has a key, or what the path leads to. */
const bagHasKey = special('bag:json key:text', (invocation) => {
  const [bag, key] = [invocation.argument(0), invocation.argument(1)]
  const path = key.literal?.type === 'string' && /^\$[.[]/.test(key.literal.value) ? pathOf(key.literal.value, invocation) : []
  const places = path.length > 0 ? path.map((step) => placeOf(step, invocation)) : [`ifNull(${key.as('text')}, '')`]
  return typed('boolean', `JSONHas(ifNull(${bag.as('json')}, ''), ${places.join(', ')})`)
})

/** Characters of a text, items of an array or of an object. */
const len = special('value:any', ({ arguments: [value] }) => {
  const { kind, as } = value as Value
  const characters = `toInt64(lengthUTF8(${as('text')}))`
  if (kind !== 'dynamic') return typed('integer', characters)
  return typed('integer', `if(match(${as('json')}, '^[\\\\[{]'), toInt64(JSONLength(ifNull(${as('json')}, ''))), ${characters})`)
})

/** The values of an object; anything else alone in an array; of what is missing none. */
const toArray = special('value:any', ({ arguments: [value] }) => {
  const a = orNull((value as Value).as('json'))
  const values = arrayOf(`arrayMap(t -> t.2, JSONExtractKeysAndValuesRaw(${a}))`)
  return json(
    `multiIf(startsWith(${a}, '['), ${a}, startsWith(${a}, '{'), ${values}, ${a} = 'null', '[]', concat('[', ${a}, ']'))`,
    'array',
  )
})

export const ARRAY_FUNCTIONS: FunctionTable = {
  array_extract: arrayExtract.shows("array_extract(dynamic([{'id': 1}, {'id': 2}]), '$[*].id')", [1, 2]),
  array_select_dict: special('array:json key:text value:any', ({ arguments: [list, key, value] }) => {
    const [a, name] = [(list as Value).as('json'), `ifNull(${key?.as('text')}, '')`]
    const isWanted = `startsWith(i, '{') AND JSONExtractRaw(i, ${name}) = ${orNull((value as Value).as('json'))}`
    return json(`nullIf(arrayFirst(i -> ${isWanted}, ${itemsOf(a)}), '')`, 'map[string]')
  }).shows("array_select_dict(dynamic([{'id': 1}, {'id': 2, 'up': true}]), 'id', 2)", { id: 2, up: true }),
  array_shift_left: shift('arrayShiftLeft').shows('array_shift_left(dynamic([1, 2, 3]), 1, 0)', [2, 3, 0]),
  array_shift_right: shift('arrayShiftRight').shows('array_shift_right(dynamic([1, 2, 3]), 1, 0)', [0, 1, 2]),
  array_index_of: indexOf.shows("array_index_of(dynamic(['a', 'b', 'c']), 'b')", 1),
  bag_has_key: bagHasKey.shows("bag_has_key(dynamic({'a': {'b': 1}}), '$.a.b')", true),
  bag_zip: bagZip.shows("bag_zip(dynamic(['host', 'code']), dynamic(['web-1', 200]))", { host: 'web-1', code: 200 }),
  len: len.shows('len(dynamic([1, 2, 3]))', 3),
  toarray: toArray.shows("toarray('one')", ['one']),
}
