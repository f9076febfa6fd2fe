/** The button that makes a field a column of the list of events, or removes the column. */

import { navigate, view } from '../address/navigation.ts'
import { toggle } from '../address/view.ts'
import { SignButton } from '../parts/sign-button.tsx'
import { showName } from '../query/name.ts'

export function ColumnButton({ field }: { field: string }) {
  const { columns } = view.value
  return (
    <SignButton
      class="quiet column-button"
      label={`Show ${showName(field)} as a column`}
      isPressed={columns.includes(field)}
      onClick={() => navigate({ columns: toggle(columns, field), events: true }, true)}
    >
      ▥
    </SignButton>
  )
}
