/** Builds a query from choices, for those who do not know the language: each choice writes the query anew, and shows how it is written. */
import { useState } from 'preact/hooks'
import { Select } from '../parts/select.tsx'
import { SignButton } from '../parts/sign-button.tsx'
import { AGGREGATIONS, type Built, buildQuery, COMPARISONS, type Condition, readBuilt } from './build.ts'
import { type Names, readDatasets } from './completion.ts'
import { showName } from './name.ts'
import { isNumeric } from './shown-as.ts'

interface QueryBuilderProps {
  datasets: readonly string[]
  /** Of the query that is written. */
  fields: Names['fields']
  /** The query as it is written, which says what the choices are. */
  draft: string
  onBuild: (apl: string) => void
}

const NOTHING = { conditions: [], aggregation: 'count', field: '', by: '', overTime: true }

export function QueryBuilder({ datasets, fields, draft, onBuild }: QueryBuilderProps) {
  /** The last choices, some of which may not be complete, and the query without those. */
  const [{ apl, chosen }, setChosen] = useState<{ apl?: string; chosen?: Built }>({})
  const built = (apl === draft && chosen) ||
    readBuilt(draft) || { ...NOTHING, dataset: readDatasets(draft)[0] ?? datasets[0] ?? '' }
  const change = (part: Partial<Built>) => {
    const after = { ...built, ...part }
    const text = buildQuery(after, (name) => fields.some((field) => field.name === name && isNumeric(field.type)))
    setChosen({ apl: text, chosen: after })
    onBuild(text)
  }
  const { conditions } = built
  return (
    <details class="query-builder" onToggle={({ currentTarget }) => currentTarget.open && draft === '' && change({})}>
      <summary>Build from choices</summary>
      <Summary built={built} datasets={datasets} fields={fields} onChange={change} />
      {conditions.map((condition, at) => (
        <ConditionRow
          key={at}
          condition={condition}
          fields={fields}
          onChange={(part) => change({ conditions: conditions.with(at, { ...condition, ...part }) })}
          onRemove={() => change({ conditions: conditions.toSpliced(at, 1) })}
        />
      ))}
      <button
        type="button"
        class="quiet"
        onClick={() => change({ conditions: [...conditions, { field: '', operator: '==', value: '' }] })}
      >
        Add a condition
      </button>
    </details>
  )
}

/** @returns the fields that a query can be about, other than its times, below the words for none of them */
function optionsOf(none: string, fields: Names['fields'], hasType: (type: string) => boolean = () => true) {
  const found = fields.filter(({ name, type }) => name !== '_time' && name !== '_sysTime' && hasType(type))
  return [['', none] as const, ...found.map(({ name }) => [name, showName(name)] as const)]
}

interface SummaryProps extends Pick<QueryBuilderProps, 'datasets' | 'fields'> {
  built: Built
  onChange: (part: Partial<Built>) => void
}

function Summary({ built: { dataset, aggregation, field, by, overTime }, datasets, fields, onChange }: SummaryProps) {
  return (
    <div class="row">
      <span>Of</span>
      <Select
        name="Dataset of the query"
        value={dataset}
        options={datasets.map((name) => [name, name] as const)}
        onPick={(picked) => onChange({ ...NOTHING, dataset: picked })}
      />
      <span>show</span>
      <Select
        name="What to show"
        value={aggregation}
        options={AGGREGATIONS}
        onPick={(picked) => onChange({ aggregation: picked })}
      />
      {aggregation !== 'count' && (
        <Select
          name="Field to show"
          value={field}
          options={optionsOf('choose a field', fields, aggregation === 'dcount' ? undefined : isNumeric)}
          onPick={(picked) => onChange({ field: picked })}
        />
      )}
      <span>by</span>
      <Select name="Grouped by" value={by} options={optionsOf('nothing', fields)} onPick={(picked) => onChange({ by: picked })} />
      <label>
        <input type="checkbox" checked={overTime} onChange={() => onChange({ overTime: !overTime })} /> over time
      </label>
    </div>
  )
}

interface ConditionRowProps extends Pick<QueryBuilderProps, 'fields'> {
  condition: Condition
  onChange: (part: Partial<Condition>) => void
  onRemove: () => void
}

function ConditionRow({ condition: { field, operator, value }, fields, onChange, onRemove }: ConditionRowProps) {
  return (
    <div class="row">
      <span>where</span>
      <Select
        name="Field of the condition"
        value={field}
        options={optionsOf('choose a field', fields)}
        onPick={(picked) => onChange({ field: picked })}
      />
      <Select<string>
        name="Comparison"
        value={operator}
        options={COMPARISONS}
        onPick={(picked) => onChange({ operator: picked })}
      />
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
