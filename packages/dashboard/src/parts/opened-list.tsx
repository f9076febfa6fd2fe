/** A list that is loaded when somebody opens it, and again whenever there is something newer. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Failure } from './failure.tsx'
import { useLoad } from './use-load.ts'

interface OpenedListProps<T> {
  title: string
  /** Whose list it is, for screen readers. */
  of: string
  load: (signal: AbortSignal) => Promise<T[]>
  /** Another text where another list is to be loaded. */
  newest: string
  /** What is said if there is nothing. */
  none: ComponentChildren
  /** How many are shown at most; by default all. */
  max?: number
  line: (one: T) => ComponentChildren
}

export function OpenedList<T>({ title, of, load, newest, none, max = Number.POSITIVE_INFINITY, line }: OpenedListProps<T>) {
  const [isOpen, setOpen] = useState(false)
  const { data, error, isLoading } = useLoad(isOpen ? load : undefined, [newest, isOpen])
  const left = (data?.length ?? 0) - max
  return (
    <details aria-busy={isLoading} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title} <span class="visually-hidden">of {of}</span>
      </summary>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data?.length === 0 && <p class="hint">{none}</p>}
      <ol class="opened-list">
        {data?.slice(0, max).map((one, at) => (
          <li key={at}>{line(one)}</li>
        ))}
      </ol>
      {left > 0 && <p class="hint">and {left.toLocaleString('en')} before that</p>}
    </details>
  )
}
