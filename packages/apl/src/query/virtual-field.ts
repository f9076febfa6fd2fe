/**
 * Virtual fields: an expression that is kept beside a dataset and computed wherever a query names it. It sees the stored fields of one
 * event and nothing else: no other virtual field, no `let`, no other rows.
 */

import { CompileError, NOWHERE } from '../error.ts'
import type { Expression } from '../tree/ast.ts'
import { parseExpression } from './parser.ts'

/** @throws CompileError, with its place in this text */
export function parseVirtualField(text: string): Expression {
  const expression = parseExpression(text)
  if (hasQuery(expression))
    throw new CompileError(
      'unsupported',
      'a virtual field is computed from the fields of one event; it cannot contain a query',
      NOWHERE,
    )
  return expression
}

function hasQuery(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return ('kind' in node && node.kind === 'tabular') || Object.values(node).some(hasQuery)
}

/** @returns what is wrong with the definition, as the mistake of a query that names it */
export function inVirtualField(name: string, error: CompileError): CompileError {
  return new CompileError(error.code, `the virtual field "${name}" cannot be computed: ${error.message}`, NOWHERE, error.hint)
}
