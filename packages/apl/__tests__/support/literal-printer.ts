/**
 * Literal values back to text. Reading the text gives an equal value.
 * Deliberately not here: expressions around them.
 */
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { LiteralValue } from '../../src/text/literal.ts'

/** Writes a string so that the lexer reads it back equal. */
export function quoteString(value: string): string {
  const escaped = value.replace(/[\\'\u0000-\u001f\u007f\u2028\u2029\ud800-\udfff]/g, (char, offset: number) => {
    if (char === '\\' || char === "'") return `\\${char}`
    if (char >= '\ud800' && char <= '\udfff' && isPaired(value, offset)) return char
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `'${escaped}'`
}

function isPaired(value: string, offset: number): boolean {
  return (value.codePointAt(offset) ?? 0) > 0xffff || (offset > 0 && (value.codePointAt(offset - 1) ?? 0) > 0xffff)
}

/** Writes a literal so that the parser reads it back equal. */
export function printLiteral(literal: LiteralValue): string {
  switch (literal.type) {
    case 'string':
      return quoteString(literal.value)
    case 'integer':
      return String(literal.value)
    case 'real':
      if (!Number.isInteger(literal.value)) return String(literal.value)
      return Math.abs(literal.value) < 1e15 ? literal.value.toFixed(1) : literal.value.toExponential()
    case 'boolean':
      return String(literal.value)
    case 'datetime':
      return `datetime(${formatTimestamp(literal.ns)})`
    case 'timespan':
      return literal.ns < 0n ? `timespan(${literal.ns}ns)` : `${literal.ns}ns`
    case 'dynamic':
      return `dynamic(${literal.json})`
    case 'null':
      return 'null'
    default:
      return literal satisfies never
  }
}
