/** The fields of a monitor's form; those that few monitors need are folded. */
import { TITLE_POINTS_MAX, TYPE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
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
import { explainPattern, TYPE_WORDS } from '../parts/plain-words.ts'
import { Select } from '../parts/select.tsx'
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
      <label for="monitor-disabledUntil">Does not run before ({zoneName(view.value.zone)})</label>
      <input {...fieldOf(props, 'disabledUntil')} type="datetime-local" step="any" aria-describedby="monitor-until-hint" />
      <p id="monitor-until-hint" class="hint">
        Then it runs again by itself. Empty, it runs now.
      </p>
      <label for="monitor-secondDelay">Waits … seconds for events that arrive late</label>
      <input {...fieldOf(props, 'secondDelay')} {...NUMBER} max={MONITOR_DELAY_SECONDS_MAX} />
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
        <label for="monitor-triggerAfterNPositiveResults">Triggers after … such runs, 0 for all</label>
        <input {...fieldOf(props, 'triggerAfterNPositiveResults')} {...NUMBER} max={MONITOR_RUNS_MAX} />
        <label for="monitor-triggerFromNRuns">Of how many runs</label>
        <input {...fieldOf(props, 'triggerFromNRuns')} {...NUMBER} max={MONITOR_RUNS_MAX} />
      </div>
      <label for="monitor-columnName">Compares the column</label>
      <input {...fieldOf(props, 'columnName')} maxLength={200} placeholder="the last one of numbers" />
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

/** @returns the props with which an input or textarea edits one of the texts */
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

/** @param props.query the ref of the query's field, which is focused if the query is wrong */
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

/** The fields of the condition and of the interval. */
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
      <Select
        id="monitor-operator"
        value={texts.operator}
        options={MONITOR_OPERATORS.map((operator) => [operator, MONITOR_OPERATOR_WORDS[operator]])}
        onPick={(operator) => onChange({ operator })}
      />
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
