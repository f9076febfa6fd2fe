/** The button that makes a field a column of the list of events, or removes the column. */
import { navigate, view } from '../address/navigation.ts'
import { toggle } from '../address/view.ts'
import { showName } from '../query/name.ts'

export function ColumnButton({ field }: { field: string }) {
  const { columns } = view.value
  const label = `Show ${showName(field)} as a column`
  return (
    <button
      type="button"
      class="quiet column-button"
      aria-label={label}
      title={label}
      aria-pressed={columns.includes(field)}
      onClick={() => navigate({ columns: toggle(columns, field), events: true }, true)}
    >
      ▥
    </button>
  )
}
