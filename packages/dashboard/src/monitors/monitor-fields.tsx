/** The inputs of a monitor's form, in the groups that people fill in together. Deliberately not here: saving, and errors. */
import { TITLE_POINTS_MAX, TYPE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import {
  ANNOTATION_TYPE_DEFAULT,
  MONITOR_MINUTES_MAX,
  MONITOR_NAME_POINTS_MAX,
  MONITOR_OPERATOR_WORDS,
  MONITOR_OPERATORS,
  MONITOR_QUERY_POINTS_MAX,
  MONITOR_TYPES,
  type MonitorOperator,
} from '@deployment-annotations/contract/monitor'
import type { RefObject } from 'preact'
import { DatasetChoice } from '../parts/dataset-choice.tsx'
import { explainPattern, TYPE_WORDS } from '../parts/plain-words.ts'
import type { RuleTexts } from './rule.ts'

export interface FieldsProps {
  texts: RuleTexts
  /** The monitor is not there yet: what is left empty gets the service's default. */
  isNew: boolean
  onChange: (change: Partial<RuleTexts>) => void
}

const MINUTES = { type: 'number', required: true, min: 1, max: MONITOR_MINUTES_MAX, step: 1 } as const

/** The members that are ticked. */
type Flag = 'alertOnNoData' | 'notifyByGroup' | 'notifyEveryRun' | 'skipResolved' | 'disabled'

/** @returns what an input or a textarea needs to hold one of the texts */
export function fieldOf({ texts, onChange }: FieldsProps, name: Exclude<keyof RuleTexts, Flag | 'operator' | 'type'>) {
  return {
    id: `monitor-${name}`,
    name,
    autocomplete: 'off',
    value: texts[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onChange({ [name]: currentTarget.value }),
  }
}

/** @param props.query for the field of the query, which takes the focus when the query is wrong */
export function NameAndQuery(props: FieldsProps & { query: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <>
      <label for="monitor-name">Name</label>
      <input {...fieldOf(props, 'name')} required maxLength={MONITOR_NAME_POINTS_MAX} />
      <TypeField {...props} />
      <label for="monitor-aplQuery">Query</label>
      <textarea
        {...fieldOf(props, 'aplQuery')}
        ref={props.query}
        class="mono"
        rows={4}
        required
        spellcheck={false}
        maxLength={MONITOR_QUERY_POINTS_MAX}
        aria-describedby="monitor-query-hint"
      />
      <p id="monitor-query-hint" class="hint">
        {props.texts.type === 'MatchEvent'
          ? 'Each event that it finds is marked at its time.'
          : 'The last numeric column is compared with the threshold, in its most extreme row; for a query that returns events, their number.'}
      </p>
    </>
  )
}

/** When it triggers, and how often it runs. */
export function RuleFields(props: FieldsProps) {
  const { texts, onChange } = props
  const comparesValues = texts.type === 'Threshold'
  return (
    <>
      {comparesValues && <ThresholdFields {...props} />}
      <div class="pair">
        <label for="monitor-intervalMinutes">Runs every … minutes</label>
        <input {...fieldOf(props, 'intervalMinutes')} {...MINUTES} />
        <label for="monitor-rangeMinutes">Over the last … minutes</label>
        <input {...fieldOf(props, 'rangeMinutes')} {...MINUTES} />
      </div>
      {comparesValues && (
        <label class="toggle">
          <input
            type="checkbox"
            checked={texts.alertOnNoData}
            onChange={() => onChange({ alertOnNoData: !texts.alertOnNoData })}
          />
          Also triggers when there is no data
        </label>
      )}
    </>
  )
}

function ThresholdFields(props: FieldsProps) {
  const { texts, onChange } = props
  return (
    <div class="pair">
      <label for="monitor-operator">Triggers when the value is</label>
      <select
        id="monitor-operator"
        value={texts.operator}
        onChange={({ currentTarget }) => onChange({ operator: currentTarget.value as MonitorOperator })}
      >
        {MONITOR_OPERATORS.map((operator) => (
          <option key={operator} value={operator}>
            {MONITOR_OPERATOR_WORDS[operator]}
          </option>
        ))}
      </select>
      <label for="monitor-threshold">Threshold</label>
      <input {...fieldOf(props, 'threshold')} type="number" step="any" required />
    </div>
  )
}

const TYPES: Readonly<Record<RuleTexts['type'], string>> = {
  Threshold: 'Compare a value with a threshold',
  MatchEvent: 'Mark every event that it finds',
}

function TypeField({ texts, onChange }: FieldsProps) {
  return (
    <>
      <label for="monitor-type">What it does</label>
      <select
        id="monitor-type"
        value={texts.type}
        onChange={({ currentTarget }) => onChange({ type: currentTarget.value as RuleTexts['type'] })}
      >
        {MONITOR_TYPES.map((type) => (
          <option key={type} value={type}>
            {TYPES[type]}
          </option>
        ))}
      </select>
    </>
  )
}

/** What it puts on the charts while it is triggered. */
export function AnnotationFields(props: FieldsProps & { datasets: readonly string[] }) {
  const { texts, datasets, isNew, onChange } = props
  return (
    <>
      <DatasetChoice
        legend="Datasets to mark"
        datasets={datasets}
        value={texts.datasets}
        {...(isNew && { hint: 'Without any, those that the query reads.' })}
        onChange={(chosen) => onChange({ datasets: chosen })}
      />
      <div class="pair">
        <label for="monitor-annotationType">Type of its annotations</label>
        <input
          {...fieldOf(props, 'annotationType')}
          required={!isNew}
          {...explainPattern(TYPE_WORDS)}
          pattern="[a-z0-9\-]+"
          maxLength={TYPE_POINTS_MAX}
          placeholder={ANNOTATION_TYPE_DEFAULT}
        />
        <label for="monitor-annotationTitle">Title of its annotations</label>
        <input {...fieldOf(props, 'annotationTitle')} maxLength={TITLE_POINTS_MAX} placeholder={texts.name || 'its name'} />
      </div>
    </>
  )
}
