/** The rows of the list, below the names of the chosen columns. */
import { SignButton } from '../parts/sign-button.tsx'
import './log-view.css'
import { useMemo } from 'preact/hooks'
import { navigate } from '../address/navigation.ts'
import { useLostFocus } from '../parts/focus.ts'
import { showName } from '../query/name.ts'
import { EventRows, type EventRowsProps } from './event-rows.tsx'
import { levelOf } from './level.ts'
import { Revealed } from './revealed.tsx'
import { splitSource } from './source.ts'

export function EventTable({ rows, look, list }: EventRowsProps) {
  const { columns, isWrapped } = look
  // Only the first rows decide the widths: reading all of them would be too slow.
  const places = useMemo(() => layOut(rows.slice(0, LOOKED_AT).map(splitSource), columns.length), [rows, columns])
  const classes = ['event-table', ...(columns.length > 0 ? ['has-columns'] : []), ...(isWrapped ? ['is-wrapped'] : [])]
  return (
    <div class={classes.join(' ')} style={places}>
      {columns.length > 0 && rows.length > 0 && <Heads columns={columns} />}
      <EventRows rows={rows} look={look} list={list} />
    </div>
  )
}

const LOOKED_AT = 200

/** @returns the widths of a row's parts as custom properties: time, dataset, level and columns, of which the last is the widest */
function layOut(events: readonly ReturnType<typeof splitSource>[], columns: number): Record<string, string> {
  const source = events.some((event) => event.source !== undefined) ? '8rem' : ''
  const level = events.some(({ data }) => levelOf(data)) ? '5rem' : '0rem'
  const own = ['13.2rem', source, level].filter((width) => width !== '')
  return {
    '--event-columns': `${own.join(' ')} ${'minmax(7rem, 1fr) '.repeat(Math.max(0, columns - 1))}minmax(7rem, 2.5fr)`,
    '--event-width': `calc(${own.join(' + ')} + ${7.6 * columns + 4}rem)`,
    '--first-column': String(own.length + 1),
  }
}

function Heads({ columns }: { columns: readonly string[] }) {
  const place = useLostFocus<HTMLUListElement>(columns.length)
  const move = (from: number, to: number) => {
    const moved = columns.filter((_, at) => at !== from)
    moved.splice(to, 0, columns[from] ?? '')
    navigate({ columns: moved }, true)
  }
  return (
    <ul class="event-heads" ref={place} tabIndex={-1} aria-label="Columns">
      {columns.map((name, at) => (
        <li key={name}>
          <Revealed class="field-name" text={showName(name)} />
          <SignButton label={`Move ${showName(name)} to the left`} isOff={at === 0} onClick={() => move(at, at - 1)}>
            ‹
          </SignButton>
          <SignButton
            label={`Move ${showName(name)} to the right`}
            isOff={at === columns.length - 1}
            onClick={() => move(at, at + 1)}
          >
            ›
          </SignButton>
          <SignButton
            label={`Remove the column ${showName(name)}`}
            onClick={() => navigate({ columns: columns.filter((other) => other !== name) }, true)}
          >
            ✕
          </SignButton>
        </li>
      ))}
    </ul>
  )
}
