/** Trees for comparison: without places. */
export function withoutSpans(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutSpans)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== 'span')
      .map(([key, value]) => [key, withoutSpans(value)]),
  )
}
