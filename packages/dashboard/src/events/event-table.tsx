/** The rows of the list, below the names of the chosen columns. */
import './log-view.css'
import { navigate } from '../address/navigation.ts'
import { toggle } from '../address/view.ts'
import { useLostFocus } from '../parts/focus.ts'
import { SignButton } from '../parts/sign-button.tsx'
import { showName } from '../query/name.ts'
import { EventRows, type EventRowsProps } from './event-rows.tsx'
import { Revealed } from './revealed.tsx'

export function EventTable(list: EventRowsProps) {
  const { columns, isWrapped } = list.look
  const classes = ['event-table', columns.length > 0 && 'has-columns', isWrapped && 'is-wrapped'].filter(Boolean)
  return (
    <div class={classes.join(' ')} style={{ '--columns': columns.length }}>
      {columns.length > 0 && list.rows.length > 0 && <Heads columns={columns} />}
      <EventRows {...list} />
    </div>
  )
}

function Heads({ columns }: { columns: readonly string[] }) {
  const place = useLostFocus<HTMLUListElement>(columns.length)
  return (
    <ul class="event-heads" ref={place} tabIndex={-1} aria-label="Columns">
      {columns.map((name) => (
        <li key={name}>
          <Revealed class="field-name" text={showName(name)} />
          <SignButton
            label={`Remove the column ${showName(name)}`}
            onClick={() => navigate({ columns: toggle(columns, name) }, true)}
          >
            ✕
          </SignButton>
        </li>
      ))}
    </ul>
  )
}
