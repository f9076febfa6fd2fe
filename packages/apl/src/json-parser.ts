/**
 * What is in `dynamic(…)`: JSON, in which fields may stand.
 * Deliberately not here: JSON that is read while the query runs; that is `parse_json()`.
 */
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Expression } from './ast.ts'
import { CompileError } from './error.ts'
import { BINDING } from './infix.ts'
import { CONSTANTS_MAX, NESTING_DEPTH_MAX } from './limits.ts'
import { NameParser } from './name-parser.ts'
import { NOWHERE } from './source.ts'
import { describeToken } from './token.ts'

/** Reads JSON; the parser of values extends it. */
export abstract class JsonParser extends NameParser {
  #depth = 0
  #jsonDepth = 0

  protected abstract prefix(): Expression
  abstract expression(binding?: number): Expression

  /** Bounds recursion: every production that may contain itself goes through here. */
  protected nested<T>(read: () => T): T {
    if (this.#depth >= NESTING_DEPTH_MAX)
      throw new CompileError('limit', `brackets are nested too deeply (limit ${NESTING_DEPTH_MAX})`, this.peek().span)
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }

  /** As JSON text, or where a field is in it as the call that packs it.
   *  json = string | ["-"] number | true | false | null | "[" [json {"," json}] "]" | "{" [string ":" json {"," …}] "}" | datetime(…) | timespan(…) */
  protected json(): string | Expression {
    return this.nested(() => {
      const token = this.peek()
      if (token.kind === 'string') return JSON.stringify(this.next().text)
      if (this.acceptSymbol('[')) {
        const items = this.isSymbol(']') ? [] : this.list(() => this.jsonInside(), CONSTANTS_MAX)
        this.expectSymbol(']', 'after the array')
        return items.every((item) => typeof item === 'string')
          ? `[${items.join(',')}]`
          : { kind: 'call', name: 'pack_array', arguments: items.map(asExpression), span: token.span }
      }
      if (this.acceptSymbol('{')) {
        const entries = this.isSymbol('}') ? [] : this.list(() => this.jsonEntry())
        this.expectSymbol('}', 'after the object')
        return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
          ? `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
          : { kind: 'call', name: 'bag_pack', arguments: entries.flatMap(packed), span: token.span }
      }
      // Inside, `0.5 * pi()` is computed; a comparison is none, because `:` is one.
      const value = this.#jsonDepth > 0 ? this.expression(BINDING.comparison) : this.prefix()
      const negative = value.kind === 'negation'
      const literal = negative ? value.operand : value
      // In an array or an object a field is meant; alone it would be parse_json().
      if (literal.kind !== 'literal' && this.#jsonDepth > 0) return value
      if (literal.kind !== 'literal')
        throw new CompileError(
          'syntax',
          'dynamic() takes a JSON literal',
          value.span,
          'to pack fields use pack_array() or bag_pack()',
        )
      switch (literal.value.type) {
        case 'integer':
          return String(negative ? -literal.value.value : literal.value.value)
        case 'real':
          return JSON.stringify(negative ? -literal.value.value : literal.value.value)
        case 'boolean':
          return String(literal.value.value)
        case 'null':
          return 'null'
        case 'dynamic':
          return literal.value.json
        case 'datetime':
          return JSON.stringify(formatTimestamp(literal.value.ns))
        // As in a response: nanoseconds.
        case 'timespan':
          return String(negative ? -literal.value.ns : literal.value.ns)
        default:
          throw new CompileError('syntax', 'dynamic() takes JSON values only', value.span)
      }
    })
  }

  private jsonInside(): string | Expression {
    this.#jsonDepth += 1
    try {
      return this.json()
    } finally {
      this.#jsonDepth -= 1
    }
  }

  private jsonEntry(): [string, string | Expression] {
    const key = this.next()
    if (key.kind !== 'string')
      throw new CompileError('syntax', `expected a string as the key, found ${describeToken(key)}`, key.span)
    this.expectSymbol(':', 'after the key')
    return [key.text, this.jsonInside()]
  }
}

export function dynamicOf(json: string): Omit<Extract<Expression, { kind: 'literal' }>, 'span'> {
  return { kind: 'literal', value: json === 'null' ? { type: 'null' } : { type: 'dynamic', json } }
}

/** JSON text as the literal it is. */
const asExpression = (item: string | Expression): Expression =>
  typeof item === 'string' ? { ...dynamicOf(item), span: NOWHERE } : item

const packed = ([key, value]: readonly [string, string | Expression]): Expression[] => [
  { kind: 'literal', value: { type: 'string', value: key }, span: NOWHERE },
  asExpression(value),
]
