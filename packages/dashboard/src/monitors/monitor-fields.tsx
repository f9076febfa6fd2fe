/** The fields of a monitor's form; those that few monitors need are folded. */
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import {
  ANNOTATION_TYPE_DEFAULT,
  MONITOR_DELAY_SECONDS_MAX,
  MONITOR_MINUTES_MAX,
  MONITOR_NAME_POINTS_MAX,
  MONITOR_OPERATOR_WORDS,
  MONITOR_OPERATORS,
  MONITOR_QUERY_POINTS_MAX,
  MONITOR_RUNS_MAX,
  MONITOR_TYPES,
} from '@deployment-annotations/contract/monitor'
import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { zoneName } from '../address/zone.ts'
import { DatasetChoice } from '../parts/dataset-choice.tsx'
import { Field } from '../parts/field.tsx'
import { Select } from '../parts/select.tsx'
import { TypeField } from '../parts/type-field.tsx'
import { hasRare, type RuleTexts } from './rule.ts'

const NUMBER = { type: 'number', required: true, min: 0, step: 1 } as const
const FLAGS = [
  ['notifyByGroup', 'Marks each group by itself'],
  ['notifyEveryRun', 'Every run that triggers makes an annotation of its own'],
  ['skipResolved', 'Does not mark the recovery: its annotations have no end'],
] as const

export function RareFields(props: FieldsProps) {
  const { texts, onChange } = props
  const [isOpenFirst] = useState(() => hasRare(texts))
  return (
    <details class="rare" open={isOpenFirst}>
      <summary>More</summary>
      {texts.type === 'Threshold' && <RunFields {...props} />}
      <Field
        {...fieldOf(props, 'disabledUntil')}
        label={`Does not run before (${zoneName(view.value.zone)})`}
        type="datetime-local"
        step="any"
        hint="Then it runs again by itself. Empty, it runs now."
      />
      <Field
        {...fieldOf(props, 'secondDelay')}
        label="Waits … seconds for events that arrive late"
        {...NUMBER}
        max={MONITOR_DELAY_SECONDS_MAX}
      />
      {texts.type === 'Threshold' &&
        FLAGS.map(([name, words]) => (
          <label key={name} class="toggle">
            <input type="checkbox" checked={texts[name]} onChange={() => onChange({ [name]: !texts[name] })} />
            {words}
          </label>
        ))}
    </details>
  )
}

/** The fields of the value to compare and of the number of runs. */
function RunFields(props: FieldsProps) {
  return (
    <>
      <div class="pair">
        <Field
          {...fieldOf(props, 'triggerAfterNPositiveResults')}
          label="Triggers after … such runs, 0 for all"
          {...NUMBER}
          max={MONITOR_RUNS_MAX}
        />
        <Field {...fieldOf(props, 'triggerFromNRuns')} label="Of how many runs" {...NUMBER} max={MONITOR_RUNS_MAX} />
      </div>
      <Field
        {...fieldOf(props, 'columnName')}
        label="Compares the column"
        maxLength={200}
        placeholder="the last one of numbers"
      />
    </>
  )
}

interface FieldsProps {
  texts: RuleTexts
  /** Whether the monitor is new; the service has defaults for its empty fields. */
  isNew: boolean
  onChange: (change: Partial<RuleTexts>) => void
}

const MINUTES = { type: 'number', required: true, min: 1, max: MONITOR_MINUTES_MAX, step: 1 } as const

/** The members that are checkboxes. */
type Flag = 'alertOnNoData' | 'notifyByGroup' | 'notifyEveryRun' | 'skipResolved' | 'disabled'

/** @returns the props with which a field edits one of the texts */
export function fieldOf({ texts, onChange }: FieldsProps, name: Exclude<keyof RuleTexts, Flag | 'operator' | 'type'>) {
  return {
    id: `monitor-${name}`,
    name,
    value: texts[name],
    onText: (text: string) => onChange({ [name]: text }),
  }
}

/** @param props.query the ref of the query's field, which is focused if the query is wrong */
export function NameAndQuery(props: FieldsProps & { query: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <>
      <Field {...fieldOf(props, 'name')} label="Name" required maxLength={MONITOR_NAME_POINTS_MAX} />
      <KindField {...props} />
      <Field
        {...fieldOf(props, 'aplQuery')}
        fieldRef={props.query}
        label="Query"
        class="mono"
        rows={4}
        required
        spellcheck={false}
        maxLength={MONITOR_QUERY_POINTS_MAX}
        hint={
          props.texts.type === 'MatchEvent'
            ? 'Each event that it finds is marked at its time.'
            : 'The last numeric column is compared with the threshold, in its most extreme row; for a query that returns events, their number.'
        }
      />
    </>
  )
}

/** The fields of the condition and of the interval. */
export function RuleFields(props: FieldsProps) {
  const { texts, onChange } = props
  const comparesValues = texts.type === 'Threshold'
  return (
    <>
      {comparesValues && <ThresholdFields {...props} />}
      <div class="pair">
        <Field {...fieldOf(props, 'intervalMinutes')} label="Runs every … minutes" {...MINUTES} />
        <Field {...fieldOf(props, 'rangeMinutes')} label="Over the last … minutes" {...MINUTES} />
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
      <Select
        id="monitor-operator"
        value={texts.operator}
        options={MONITOR_OPERATORS.map((operator) => [operator, MONITOR_OPERATOR_WORDS[operator]])}
        onPick={(operator) => onChange({ operator })}
      />
      <Field {...fieldOf(props, 'threshold')} label="Threshold" type="number" step="any" required />
    </div>
  )
}

const TYPES: Readonly<Record<RuleTexts['type'], string>> = {
  Threshold: 'Compare a value with a threshold',
  MatchEvent: 'Mark every event that it finds',
}

function KindField({ texts, onChange }: FieldsProps) {
  return (
    <>
      <label for="monitor-type">What it does</label>
      <Select
        id="monitor-type"
        value={texts.type}
        options={MONITOR_TYPES.map((type) => [type, TYPES[type]])}
        onPick={(type) => onChange({ type })}
      />
    </>
  )
}

/** The fields of the annotation that a triggered monitor creates. */
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
        <TypeField
          {...fieldOf(props, 'annotationType')}
          label="Type of its annotations"
          required={!isNew}
          placeholder={ANNOTATION_TYPE_DEFAULT}
        />
        <Field
          {...fieldOf(props, 'annotationTitle')}
          label="Title of its annotations"
          maxLength={TITLE_POINTS_MAX}
          placeholder={texts.name || 'its name'}
        />
      </div>
    </>
  )
}
