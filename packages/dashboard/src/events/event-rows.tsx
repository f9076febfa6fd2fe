/** The rows of the list of events; only those near the view are in the page. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { toggle } from '../address/view.ts'
import type { Event } from '../service/query.ts'
import { EventDetail } from './event-detail.tsx'
import { EventLine, type ListLook } from './event-line.tsx'
import { useRows } from './use-rows.ts'

interface EventRowProps {
  event: Event
  look: ListLook
  isOpen: boolean
  /** Whether Tab leads to this row of the list. */
  isStop: boolean
  onToggle: () => void
}

/** Scrolling need not compare rows that stay. */
function EventRow({ event, look, isOpen, isStop, onToggle }: EventRowProps) {
  const draw = () => (
    <>
      <button type="button" class="event-line" aria-expanded={isOpen} tabIndex={isStop ? 0 : -1} onClick={onToggle}>
        <EventLine event={event} look={look} />
      </button>
      {isOpen && <EventDetail event={event} look={look} />}
    </>
  )
  return useMemo(draw, [event, look, isOpen, isStop])
}

export interface EventRowsProps {
  rows: readonly Event[]
  look: ListLook
  list: RefObject<HTMLOListElement | null>
}

/** Page Down moves by this number of rows. */
const PAGE_ROWS = 20

export function EventRows({ rows, look, list }: EventRowsProps) {
  const ofEvent = useKeys()
  // A new function makes the virtualizer measure every row again.
  const keyOf = useMemo(() => (index: number) => ofEvent(rows[index]), [rows])
  const [open, setOpen] = useState<readonly Event[]>([])
  const [stop, setStop] = useState<Event>()
  const stopAt = Math.max(0, stop ? rows.indexOf(stop) : 0)
  const { items, heightPx, offsetPx, measure, scrollTo } = useRows(list, rows.length, keyOf, stopAt, look)
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${stopAt}"]`)
    const { activeElement } = document
    if (list.current?.contains(activeElement) && !row?.contains(activeElement))
      row?.querySelector('button')?.focus({ preventScroll: true })
  }, [stop])
  const move = (event: KeyboardEvent) => {
    if (!(event.target as Element).matches('.event-line') || event.ctrlKey || event.altKey || event.metaKey) return
    const to = targetOf(event.key, stopAt, rows.length)
    if (to === undefined) return
    event.preventDefault()
    setStop(rows[to])
    scrollTo(to)
  }
  return (
    <ol class="event-rows" ref={list} hidden={rows.length === 0} style={{ height: `${heightPx}px` }} onKeyDown={move}>
      {items.map(({ index, key, start }) => {
        const event = rows[index]
        if (!event) return null
        return (
          <li
            key={key as number}
            ref={measure}
            class="event"
            data-index={index}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - offsetPx}px)` }}
            onFocusCapture={() => setStop(event)}
          >
            <EventRow
              event={event}
              look={look}
              isOpen={open.includes(event)}
              isStop={index === stopAt}
              onToggle={() => setOpen((before) => toggle(before, event))}
            />
          </li>
        )
      })}
    </ol>
  )
}

/** Numbers each event, because ids are not unique: `mv-expand` makes several events of one row. */
function useKeys(): (event: Event | undefined) => number {
  const keys = useMemo(() => ({ of: new WeakMap<Event, number>(), next: 0 }), [])
  return (event) => {
    if (!event) return -1
    const key = keys.of.get(event) ?? keys.next++
    keys.of.set(event, key)
    return key
  }
}

function targetOf(key: string, at: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - PAGE_ROWS,
    PageDown: at + PAGE_ROWS,
    Home: 0,
    End: count - 1,
  }
  const to = targets[key]
  return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to))
}
