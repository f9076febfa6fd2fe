/** A list that is loaded when somebody opens it, and again whenever there is something newer. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Failure } from './failure.tsx'
import { useLoad } from './use-load.ts'

interface ListProps<T> {
  load: (signal: AbortSignal) => Promise<T[]>
  /** Another text where another list is to be loaded. */
  newest: string
  /** What is said if there is nothing. */
  none: ComponentChildren
  /** How many are shown at most; by default all. */
  max?: number
  line: (one: T) => ComponentChildren
}

/** @param of whose list it is, for screen readers */
export function OpenedList<T>({ title, of, ...list }: ListProps<T> & { title: string; of: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title} <span class="visually-hidden">of {of}</span>
      </summary>
      {isOpen && <List {...list} />}
    </details>
  )
}

function List<T>({ load, newest, none, max = Number.POSITIVE_INFINITY, line }: ListProps<T>) {
  const { data, error, isLoading } = useLoad(load, [newest])
  const left = (data?.length ?? 0) - max
  return (
    <div aria-busy={isLoading}>
      <Failure error={error} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data?.length === 0 && <p class="hint">{none}</p>}
      <ol class="opened-list">
        {data?.slice(0, max).map((one, at) => (
          <li key={at}>{line(one)}</li>
        ))}
      </ol>
      {left > 0 && <p class="hint">and {left.toLocaleString('en')} before that</p>}
    </div>
  )
}
