/** @returns what reads anew at most once in so many milliseconds, because reading costs more than an old answer does harm */
export function keptFor<T>(ms: number, read: () => T): () => T {
  let last: { value: T; atMs: number } | undefined
  return () => {
    if (!last || performance.now() - last.atMs > ms) last = { value: read(), atMs: performance.now() }
    return last.value
  }
}
