/**
 * The functions of a file with their names and lengths, from its syntax tree.
 * Deliberately not here: how long is too long.
 */
import { type SyntaxNode, treeOf, walk } from './tree.ts'

export interface FunctionLines {
  /** As a reader would call it: its own name, or that of the variable or member it is. */
  readonly name: string
  readonly lines: number
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'Constructor'])
/** Members hold their function without a node of its own. */
const METHODS = new Set(['ClassMethod', 'PrivateMethod', 'MethodProperty', 'GetterProperty', 'SetterProperty'])

export function functionsOf(file: string): FunctionLines[] {
  const { module, lineOf } = treeOf(file)
  const found: FunctionLines[] = []
  walk(module, (node, parent) => {
    if (!FUNCTIONS.has(node.type) && !METHODS.has(node.type)) return
    const span = (node.span ?? (node.function as SyntaxNode | undefined)?.span) as { start: number; end: number }
    const lines = lineOf(span.end) - lineOf(span.start) + 1
    found.push({ name: named(node) ?? (parent && named(parent)) ?? 'a function without a name', lines })
  })
  return found
}

/** The name of a function, a variable, a property or a class member. */
function named({ identifier, id, key }: SyntaxNode): string | undefined {
  for (const name of [identifier, id, key] as (SyntaxNode | undefined)[]) {
    const text = name?.value ?? (name?.id as SyntaxNode | undefined)?.value
    if (typeof text === 'string') return text
  }
  return undefined
}
