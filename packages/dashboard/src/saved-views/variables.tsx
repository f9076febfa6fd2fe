/** The variables of a view: fields whose value is chosen above the charts, and filters all of them. The address has what is chosen. */

import { SAVED_VIEW_VARIABLES_MAX } from '@deployment-annotations/contract/saved-view'
import { useId } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { readValues, useFields, VALUES_MAX, valuesQuery } from '../fields/use-fields.ts'
import { describeFilter, readFilter, withoutField, writeFilter } from '../filters/filter.ts'
import { closeMenu, Menu } from '../parts/menu.tsx'
import { Select } from '../parts/select.tsx'
import { SignButton } from '../parts/sign-button.tsx'
import { useLoad } from '../parts/use-load.ts'
import { writeCell } from '../query/cell.ts'
import { showName } from '../query/name.ts'
import { queryTables } from '../service/query.ts'
import type { SavedView } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import type { Change } from './use-change.tsx'

interface VariablesProps {
  saved: SavedView
  change: Change
  /** Those of all charts. */
  datasets: readonly string[]
  range: Range
}

export function Variables({ saved, change, datasets, range }: VariablesProps) {
  // A link may filter by a field that is no variable any more.
  const filtered = view.value.filters.flatMap((one) => readFilter(one)?.field ?? [])
  const names = [...new Set([...saved.variables, ...filtered])]
  const mayChange = may('views|update') && datasets.every((name) => may('datasets|read', [name]))
  const put = (variables: string[]) => change.save({ variables })
  return (
    <>
      {names.map((name) => (
        <Variable
          key={name}
          {...{ name, datasets, range }}
          onRemove={mayChange ? () => put(saved.variables.filter((other) => other !== name)) : undefined}
        />
      ))}
      {mayChange && saved.variables.length < SAVED_VIEW_VARIABLES_MAX && (
        <AddVariable datasets={datasets} names={names} onAdd={(name) => put([...saved.variables, name])} />
      )}
    </>
  )
}

interface VariableProps extends Pick<VariablesProps, 'datasets' | 'range'> {
  name: string
  onRemove: (() => void) | undefined
}

function Variable({ name, datasets, range, onRemove }: VariableProps) {
  const id = useId()
  const { filters } = view.value
  const chosen = filters.find((one) => readFilter(one)?.field === name) ?? ''
  const apl = valuesQuery(name, datasets, { apl: '', filters }, VALUES_MAX, true)
  const { data } = useLoad(
    async (signal) => readValues(await queryTables({ apl, ...formatRange(range) }, signal), VALUES_MAX),
    [apl, range],
    apl,
  )
  const options = (data?.values ?? []).flatMap(({ value }) => {
    const filter = value === null ? undefined : writeFilter(name, value, { type: data?.type ?? '' })
    return filter === undefined ? [] : [[filter, writeCell(value) || '(empty)'] as const]
  })
  const isListed = chosen === '' || options.some(([filter]) => filter === chosen)
  const unlisted = isListed ? [] : [[chosen, describeFilter(chosen)] as const]
  const pick = (filter: string) => navigate({ filters: [...withoutField(filters, name), ...(filter === '' ? [] : [filter])] })
  return (
    <span class="row variable">
      <label for={id}>{showName(name)}</label>
      <Select id={id} value={chosen} options={[['', 'all'], ...unlisted, ...options]} onPick={pick} />
      {onRemove && (
        <SignButton
          label={`Remove the variable ${showName(name)}`}
          onClick={() => {
            pick('')
            onRemove()
          }}
        >
          ✕
        </SignButton>
      )}
    </span>
  )
}

interface AddVariableProps extends Pick<VariablesProps, 'datasets'> {
  /** Those that there are. */
  names: readonly string[]
  onAdd: (name: string) => void
}

function AddVariable(props: AddVariableProps) {
  return <Menu summary="Add a variable">{() => <FieldChoice {...props} />}</Menu>
}

/** The fields are asked for when somebody opens the menu. */
function FieldChoice({ datasets, names, onAdd }: AddVariableProps) {
  const { fields, isLoading } = useFields(datasets, 0)
  const free = fields.filter(({ name }) => !names.includes(name))
  return (
    <div class="card">
      <p class="hint">A field whose value is chosen here filters all charts.</p>
      {isLoading && <p class="hint">Loading…</p>}
      {!isLoading && free.length === 0 && <p class="hint">There are no other fields.</p>}
      {free.length > 0 && (
        <Select
          name="Field of the variable"
          value=""
          options={[['', 'choose a field'], ...free.map(({ name }) => [name, showName(name)] as const)]}
          onPick={(name, select) => {
            closeMenu(select)
            if (name !== '') onAdd(name)
          }}
        />
      )}
    </div>
  )
}
