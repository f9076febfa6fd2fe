/**
 * What a caller hands over to be read, for as long as it is wanted: it is closed at once when it is not, also in the middle of a wait.
 */
export type Source<T> = Iterable<T> | AsyncIterable<T>

/** @param signal ends it: whoever waits for more gets the signal's reason, and the source is told to close */
export async function* readUntil<T>(source: Source<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  // Not awaited: a source that is waiting closes later, and its errors no longer matter.
  const close = () => void Promise.resolve(iterator.return?.()).catch(() => undefined)
  // Of the wait that is under way; one promise for all of them would keep something of each.
  let refuse = (_: unknown) => {}
  const end = () => {
    close()
    refuse(signal.reason)
  }
  if (signal.aborted) close()
  signal.throwIfAborted()
  signal.addEventListener('abort', end, { once: true })
  try {
    for (;;) {
      signal.throwIfAborted()
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        refuse = reject
        Promise.resolve(iterator.next()).then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', end)
  }
}
