/** The rows of the list of events; only those near the view are in the page. */
import type { RefObject, VNode } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { showName } from '../query/name.ts'
import type { Event } from '../service/query.ts'
import { EventDetail } from './event-detail.tsx'
import { EventSummary } from './event-summary.tsx'
import { formatEventTime } from './event-time.ts'
import { valueAt } from './flatten.ts'
import { levelOf } from './level.ts'
import type { ListLook } from './list-look.ts'
import { Revealed } from './revealed.tsx'
import { splitSource } from './source.ts'
import { summarizeValue } from './summary.ts'
import { useRows } from './use-rows.ts'

interface EventRowProps {
  event: Event
  look: ListLook
  isOpen: boolean
  /** Whether Tab leads to this row of the list. */
  isStop: boolean
  onToggle: () => void
}

interface ContentProps {
  data: Record<string, unknown>
  look: ListLook
}

function EventRow({ event, look, isOpen, isStop, onToggle }: EventRowProps) {
  const { source, data } = splitSource(event)
  const level = levelOf(data)
  return (
    <>
      <button
        type="button"
        class={`event-line ${level ? `is-${level.severity}` : ''}`}
        aria-expanded={isOpen}
        tabIndex={isStop ? 0 : -1}
        onClick={onToggle}
      >
        <time dateTime={event._time} title={event._time}>
          {formatEventTime(event._time, look.zone)}
        </time>{' '}
        {source !== undefined && <Revealed class="event-source" text={source} />}{' '}
        {(level || look.columns.length > 0) && <span class="event-level">{level?.text}</span>}{' '}
        {look.columns.length > 0 ? (
          <Cells data={data} look={look} />
        ) : (
          <EventSummary data={data} isWrapped={look.isWrapped} without={level?.field} />
        )}
      </button>
      {isOpen && <EventDetail event={event} dataset={source ?? look.dataset} zone={look.zone} />}
    </>
  )
}

/** The names of the columns are above them; on a narrow page, and for screen readers, they are before each value. */
function Cells({ data, look: { columns, isWrapped } }: ContentProps) {
  return (
    <>
      {columns.map((name) => {
        const value = valueAt(data, name)
        return (
          <span key={name} class={typeof value === 'number' || typeof value === 'bigint' ? 'event-cell number' : 'event-cell'}>
            <Revealed class="field-name" text={`${showName(name)}:`} />{' '}
            {value === undefined ? <span class="hint">–</span> : <Revealed text={summarizeValue(value, isWrapped)} />}{' '}
          </span>
        )
      })}
    </>
  )
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
  const [open, setOpen] = useState<ReadonlySet<Event>>(new Set())
  const [stop, setStop] = useState<Event>()
  const stopAt = Math.max(0, stop ? rows.indexOf(stop) : 0)
  const hasFocus = list.current?.contains(document.activeElement) === true
  const { items, heightPx, offsetPx, measure, scrollTo } = useRows(list, rows.length, keyOf, hasFocus ? stopAt : -1, look)
  const wanted = useRef<Event | undefined>(undefined)
  useLayoutEffect(() => {
    const row = wanted.current && list.current?.querySelector<HTMLElement>(`[data-index="${rows.indexOf(wanted.current)}"]`)
    if (!row) return
    wanted.current = undefined
    row.querySelector('button')?.focus({ preventScroll: true })
  })
  const toggle = (event: Event) => {
    const after = new Set(open)
    if (!after.delete(event)) after.add(event)
    setOpen(after)
  }
  const draw = useDrawnRows(look, toggle)
  const move = (event: KeyboardEvent) => {
    if (!(event.target as Element).matches('.event-line') || event.ctrlKey || event.altKey || event.metaKey) return
    const to = targetOf(event.key, stopAt, rows.length)
    const row = to === undefined ? undefined : rows[to]
    if (to === undefined || !row) return
    event.preventDefault()
    wanted.current = row
    setStop(row)
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
            {draw(event, open.has(event), index === stopAt)}
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

/** Renders each row once for each of its states, so that scrolling need not compare rows that stay. */
function useDrawnRows(look: ListLook, toggle: (event: Event) => void) {
  const made = useMemo(() => new WeakMap<Event, Map<string, VNode>>(), [look])
  const latest = useRef(toggle)
  latest.current = toggle
  return (event: Event, isOpen: boolean, isStop: boolean): VNode => {
    const drawn = made.get(event) ?? new Map<string, VNode>()
    made.set(event, drawn)
    const state = `${isOpen} ${isStop}`
    const row = drawn.get(state) ?? (
      <EventRow event={event} look={look} isOpen={isOpen} isStop={isStop} onToggle={() => latest.current(event)} />
    )
    drawn.set(state, row)
    return row
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
