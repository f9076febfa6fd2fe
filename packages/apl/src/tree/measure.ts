/**
 * How large a tree is, each part counted wherever it occurs: arguments and tables are shared where they are used twice, so a tree can
 * be much larger than what it is made of. Each part is looked at once.
 * Deliberately not here: how large a tree may be; see `limits.ts`.
 */

interface Measure {
  readonly nodes: number
  readonly depth: number
  /** Operators and sources, those of queries inside expressions included. */
  readonly operators: number
}

const known = new WeakMap<object, Measure>()

export function measure(node: object): Measure {
  const found = known.get(node)
  if (found) return found
  const children = Object.values(node)
    .filter((child): child is object => typeof child === 'object' && child !== null)
    .map(measure)
  const { kind, operators } = node as { kind?: unknown; operators?: readonly unknown[] }
  const own = kind === 'pipeline' ? 1 + (operators?.length ?? 0) : 0
  const result = {
    nodes: children.reduce((sum, child) => sum + child.nodes, 1),
    depth: 1 + children.reduce((most, child) => Math.max(most, child.depth), 0),
    operators: children.reduce((sum, child) => sum + child.operators, own),
  }
  known.set(node, result)
  return result
}
