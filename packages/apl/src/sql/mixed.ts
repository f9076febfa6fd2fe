/**
 * Values that are not of one type: a field that has held numbers and texts, JSON text, what is computed of them. What such a value
 * means is decided row by row: it is taken apart into values of one kind each, of which at most one is not NULL in a row.
 * Deliberately not here: what an operator does with each of them.
 */
import { fitted, JSON_TEXT, type Kind, typed, type Value, type View } from './value.ts'

/** Kinds in the order in which they come before one another where values of several are ordered. */
const RANKED: readonly Kind[] = ['integer', 'real', 'datetime', 'timespan', 'string', 'boolean', 'dynamic']
const NUMERIC: ReadonlySet<Kind> = new Set(['integer', 'real'])
/** Kinds that are ordered as numbers are. */
const SIZED: ReadonlySet<Kind> = new Set([...NUMERIC, 'timespan', 'datetime'])

/** The values of one kind each that a value consists of; itself, where it is always of one kind. */
export function partsOf(value: Value): readonly Value[] {
  if (!isMixed(value)) return [value]
  return value.parts?.() ?? partsOfJson(value.as('json'))
}

/** The parts of JSON text. No number begins with a quote, so that the digits in a JSON string are a text. */
function partsOfJson(sql: string): readonly Value[] {
  const whole = `toInt64OrNull(${sql})`
  const begins = (char: string) => `startsWith(${sql}, '${char}')`
  return [
    typed('integer', whole),
    typed('real', `if(isNull(${whole}), toFloat64OrNull(${sql}), NULL)`),
    typed('string', `if(${begins('"')}, ${JSON_TEXT(sql)}, NULL)`),
    typed('boolean', `transform(${sql}, ['true', 'false'], [true, false], CAST(NULL, 'Nullable(Bool)'))`),
    typed('dynamic', `if(${begins('[')} OR ${begins('{')}, ${sql}, NULL)`, { type: 'array' }),
  ]
}

export const partOf = (value: Value, kind: Kind): Value | undefined => partsOf(value).find((part) => part.kind === kind)

/** SQL of whether it is of a kind in a row: not where it is missing. */
export function isKind(value: Value, kind: Kind): string {
  const part = partOf(value, kind)
  return part === undefined ? 'false' : part.literal ? 'true' : `isNotNull(${part.as('plain')})`
}

/** SQL of its whole numbers, which are exact; `undefined` where it has none. */
export const wholeOf = (value: Value): string | undefined => partOf(value, 'integer')?.as('plain')

/** SQL of its numbers that are not whole, as floats; `whole` is that of the others. */
function floatsOf(value: Value, whole: string): string {
  const real = value.kind === 'real' ? partOf(value, 'real') : undefined
  return real ? real.as('plain') : `if(isNotNull(${whole}), NULL, toFloat64(${value.as('number')}))`
}

/** Whether it may be of several kinds, or of one that is only known row by row. */
export const isMixed = ({ parts, kind, literal, type }: Value): boolean =>
  parts !== undefined || (kind === 'dynamic' && !literal && type !== 'array' && type !== 'map[string]')

/** Whether it is in no row a number: it is a length of time, or else a point in time or a text, which may spell one. */
export const isOfTimes = (value: Value): boolean =>
  value.kind === 'timespan' || partsOf(value).every(({ kind }) => /^(?:string|datetime|null)$/.test(kind))

interface MixedOptions {
  readonly type?: string
  readonly encoding?: 'plain' | 'json'
  readonly views?: Partial<Record<View, string>>
}

/** In JSON a length of time is a number of nanoseconds, as it is in an answer. */
const inNs = (part: Value): Value =>
  part.kind === 'timespan' ? { ...part, as: (view) => (view === 'json' ? `toString(${part.as('plain')})` : part.as(view)) } : part

/** One value of parts of different kinds. If all parts are numbers, it is a float wherever the parts are not asked for. */
export function mixed(given: readonly Value[], { type, encoding = 'json', views = {} }: MixedOptions = {}): Value {
  const [only] = given
  const parts = RANKED.flatMap((kind) => given.filter((part) => part.kind === kind)).map(inNs)
  if (only && parts.length === 1 && views.output === undefined) return only
  const kind = parts.every((part) => NUMERIC.has(part.kind)) ? 'real' : 'dynamic'
  const first = (view: View, cast: (sql: string, kind: Kind) => string = (sql) => sql) => {
    const there = parts.filter((part) => view !== 'number' || part.kind !== 'dynamic')
    const [sql = 'NULL', ...others] = there.map((part) => cast(part.as(view), part.kind))
    return others.length === 0 ? sql : `coalesce(${[sql, ...others].join(', ')})`
  }
  const sqlOf = (view: View): string => {
    switch (view) {
      case 'plain':
        return kind === 'real' ? first('number', toFloat) : first('json')
      case 'number':
        return first('number', toFloat)
      case 'output':
        return first('json')
      case 'filter':
        return first('filter', toBool)
      case 'truth':
        return `ifNull(${first('filter', toBool)}, false)`
      default:
        return first(view)
    }
  }
  const types = kind === 'real' ? ['float'] : parts.flatMap((part) => part.type.split('|'))
  return {
    kind,
    type: type ?? [...new Set(types)].sort().join('|'),
    nullable: true,
    encoding,
    parts: () => parts,
    as: (view) => views[view] ?? sqlOf(view),
  }
}

const toFloat = (sql: string, kind?: Kind) => (kind === 'real' ? sql : `toFloat64(${sql})`)
const toBool = (sql: string) => `CAST(${sql}, 'Nullable(Bool)')`

/**
 * A number computed of another: of whole numbers exactly, where there is a way, and of all others as a float.
 * @param ofWhole from and to SQL of 64-bit integers
 */
export function overNumbers(value: Value, ofWhole: (x: string) => string, ofReal: (x: string) => string): Value {
  const whole = wholeOf(value)
  if (whole === undefined) return typed('real', ofReal(`toFloat64(${value.as('number')})`))
  if (!isMixed(value)) return typed('integer', ofWhole(whole))
  return numbers(ofWhole(whole), ofReal(floatsOf(value, whole)))
}

/** A number that is whole in some rows and a float in others. */
export const numbers = (whole: string, real: string): Value => mixed([typed('integer', whole), typed('real', real)])

/**
 * A sum of numbers, exact where all of them are whole: those are added in 128 bits, because in 64 the sum would wrap around.
 * @param x SQL of the value, where it is of one kind
 * @param call of `sum` or `count` over the rows
 */
export function summed(value: Value, x: string, call: (name: 'sum' | 'count', sql: string) => string): Value {
  // Nothing adds up to 0, so that a share of it is 0 and not missing.
  const orZero = (sql: string) => `ifNull(${sql}, 0)`
  const wholesOf = (sql: string) => call('sum', `toInt128(${sql})`)
  const whole = isMixed(value) ? wholeOf(value) : undefined
  if (whole === undefined) {
    const isWhole = value.kind === 'integer' || value.kind === 'timespan'
    return isWhole ? typed(value.kind, orZero(fitted(wholesOf(x)))) : typed('real', orZero(call('sum', `toFloat64(${x})`)))
  }
  const float = floatsOf(value, whole)
  const [wholes, floats, count] = [wholesOf(whole), call('sum', float), call('count', float)]
  const real = `toFloat64(ifNull(${wholes}, 0)) + ${floats}`
  return numbers(`if(${count} = 0, ${orZero(fitted(wholes))}, NULL)`, `if(${count} = 0, NULL, ${real})`)
}

/** The same value as one of which the JSON text is looked at, in which no digit is lost, and 12 and 12.0 are one. */
export function inJson(value: Value): Value {
  if (!isMixed(value)) return value
  return typed('dynamic', value.as('json'), { type: value.type })
}

/**
 * A value that one expression takes from one row to another, as its JSON text if it may be of several kinds.
 * @param carry from SQL to SQL of the same type
 */
export function carried(value: Value, carry: (sql: string) => string): Value {
  const { kind, type, as } = inJson(value)
  return kind === 'null' ? typed('dynamic', carry('NULL'), { type }) : typed(kind, carry(as('plain')), { type })
}

/** One value for each row, chosen by kind: `choose` makes SQL of the SQL that each of the values has for a kind. */
export function chooseParts(values: readonly Value[], choose: (sqls: readonly string[]) => string): Value {
  const all = values.map((value) => (value.kind === 'null' ? [] : partsOf(value)))
  const kinds = RANKED.filter((kind) => all.some((parts) => parts.some((part) => part.kind === kind)))
  const parts = kinds.map((kind) => {
    const sqls = all.map((some) => some.find((part) => part.kind === kind)?.as('plain'))
    const asBool = (sql: string) => (kind === 'boolean' ? toBool(sql) : sql)
    return typed(kind, choose(sqls.map((sql) => (sql === undefined ? 'NULL' : asBool(sql)))))
  })
  return mixed(parts)
}

/** By what values of several types are ordered: numbers by their size, exactly, and then texts. What is missing is NULL in each of them. */
export function orderKeysOf(value: Value): { readonly numbers: readonly string[]; readonly texts: readonly string[] } {
  const parts = partsOf(value)
  const sized = parts.filter(({ kind }) => SIZED.has(kind))
  const ofNumbers = sized.map((part) => part.as(NUMERIC.has(part.kind) ? 'plain' : 'number'))
  const [first, ...others] = ofNumbers
  if (first === undefined) return { numbers: [], texts: [value.as('text')] }
  const size = others.length === 0 ? first : `coalesce(${ofNumbers.map((sql) => `toFloat64(${sql})`).join(', ')})`
  // Whole numbers that are equal as floats differ all the same, and 3.0 is 3.
  const wholes = ofNumbers.map((sql, at) => (sized[at]?.kind === 'integer' ? sql : `accurateCastOrNull(${sql}, 'Int64')`))
  const whole = `coalesce(${wholes.join(', ')})`
  return {
    numbers: others.length === 0 ? [size] : [size, whole],
    texts: ofNumbers.length === parts.length ? [] : [`if(isNull(${size}), ${value.as('text')}, NULL)`],
  }
}
