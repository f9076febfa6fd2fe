/** Builds a query from choices, for those who do not know the language: each choice writes the query anew, and shows how it is written. */

import { useState } from 'preact/hooks'
import { Select } from '../parts/select.tsx'
import { SignButton } from '../parts/sign-button.tsx'
import { AGGREGATIONS, type Built, buildQuery, COMPARISONS, type Condition, needsField } from './build.ts'
import { type Names, readDatasets } from './completion.ts'

interface QueryBuilderProps {
  datasets: readonly string[]
  /** Of the query that is written. */
  fields: Names['fields']
  /** The query as it is written, which says of which dataset the choices are. */
  draft: string
  onBuild: (apl: string) => void
}

const isNumeric = (type: string) => /\b(?:integer|float|number)\b/.test(type)

export function QueryBuilder({ datasets, fields, draft, onBuild }: QueryBuilderProps) {
  const [chosen, setBuilt] = useState<Built>({
    dataset: '',
    conditions: [],
    aggregation: 'count',
    field: '',
    by: '',
    overTime: true,
  })
  const built = { ...chosen, dataset: chosen.dataset || readDatasets(draft)[0] || datasets[0] || '' }
  const isNumber = (name: string) => fields.some((field) => field.name === name && isNumeric(field.type))
  const change = (part: Partial<Built>) => {
    const after = { ...built, ...part }
    setBuilt(after)
    onBuild(buildQuery(after, isNumber))
  }
  const names = fields.filter(({ name }) => name !== '_time' && name !== '_sysTime').map(({ name }) => name)
  const conditions = (after: readonly Condition[]) => change({ conditions: after })
  return (
    <details class="query-builder" onToggle={({ currentTarget }) => currentTarget.open && draft === '' && change({})}>
      <summary>Build from choices</summary>
      <Summary built={built} datasets={datasets} names={names} numbers={names.filter(isNumber)} onChange={change} />
      {built.conditions.map((condition, at) => (
        <ConditionRow
          key={at}
          condition={condition}
          names={names}
          onChange={(part) => conditions(built.conditions.map((one, other) => (other === at ? { ...one, ...part } : one)))}
          onRemove={() => conditions(built.conditions.filter((_, other) => other !== at))}
        />
      ))}
      <button
        type="button"
        class="quiet"
        onClick={() => conditions([...built.conditions, { field: '', operator: '==', value: '' }])}
      >
        Add a condition
      </button>
    </details>
  )
}

/** @returns the names as options, the picked one among them; a backslash before a dot is the language's, not people's */
function optionsOf(names: readonly string[], picked: string) {
  const all = [...new Set([...names, picked])].filter((name) => name !== '')
  return all.map((name) => [name, name.replace(/\\(.)/g, '$1')] as const)
}

interface SummaryProps {
  built: Built
  datasets: readonly string[]
  names: readonly string[]
  numbers: readonly string[]
  onChange: (part: Partial<Built>) => void
}

function Summary({ built: { dataset, aggregation, field, by, overTime }, datasets, names, numbers, onChange }: SummaryProps) {
  return (
    <div class="row">
      <span>Of</span>
      <Select
        name="Dataset of the query"
        value={dataset}
        options={optionsOf(datasets, dataset)}
        onPick={(picked) => onChange({ dataset: picked, conditions: [], field: '', by: '' })}
      />
      <span>show</span>
      <Select
        name="What to show"
        value={aggregation}
        options={AGGREGATIONS}
        onPick={(picked) => onChange({ aggregation: picked, field: needsField(picked) ? field : '' })}
      />
      {needsField(aggregation) && (
        <Select
          name="Field to show"
          value={field}
          options={[['', 'choose a field'], ...optionsOf(aggregation === 'dcount' ? names : numbers, field)]}
          onPick={(picked) => onChange({ field: picked })}
        />
      )}
      <span>by</span>
      <Select
        name="Grouped by"
        value={by}
        options={[['', 'nothing'], ...optionsOf(names, by)]}
        onPick={(picked) => onChange({ by: picked })}
      />
      <label>
        <input type="checkbox" checked={overTime} onChange={() => onChange({ overTime: !overTime })} /> over time
      </label>
    </div>
  )
}

interface ConditionRowProps {
  condition: Condition
  names: readonly string[]
  onChange: (part: Partial<Condition>) => void
  onRemove: () => void
}

function ConditionRow({ condition: { field, operator, value }, names, onChange, onRemove }: ConditionRowProps) {
  return (
    <div class="row">
      <span>where</span>
      <Select
        name="Field of the condition"
        value={field}
        options={[['', 'choose a field'], ...optionsOf(names, field)]}
        onPick={(picked) => onChange({ field: picked })}
      />
      <Select name="Comparison" value={operator} options={COMPARISONS} onPick={(picked) => onChange({ operator: picked })} />
      <input
        aria-label="Value of the condition"
        value={value}
        onInput={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      <SignButton label="Remove the condition" onClick={onRemove}>
        ✕
      </SignButton>
    </div>
  )
}
