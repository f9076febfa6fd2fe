/** Creates or changes a monitor. What the service finds wrong with the query is shown beside it. */

import { TITLE_POINTS_MAX, TYPE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import {
  ANNOTATION_TYPE_DEFAULT,
  MONITOR_DESCRIPTION_POINTS_MAX,
  MONITOR_MINUTES_MAX,
  MONITOR_NAME_POINTS_MAX,
  MONITOR_OPERATOR_WORDS,
  MONITOR_OPERATORS,
  MONITOR_QUERY_POINTS_MAX,
  type Monitor,
  type MonitorChange,
  type MonitorOperator,
} from '@deployment-annotations/contract/monitor'
import { useRef, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { findErrorPlace } from '../query/error-place.ts'
import { QueryError } from '../query/query-error.tsx'
import { changeMonitor, createMonitor } from '../service/monitors.ts'
import { AnswerError } from '../service/request.ts'
import { changeOf, type RuleTexts, ruleOf, textsOf } from './rule.ts'

export interface MonitorFormProps {
  /** A monitor that is there, or what a new one begins with. */
  draft: MonitorChange | Monitor
  onClose: () => void
  onSaved: () => void
}

export function MonitorForm({ draft, onClose, onSaved }: MonitorFormProps) {
  const id = 'id' in draft ? draft.id : undefined
  const [before] = useState(() => textsOf(draft))
  const [texts, setTexts] = useState(before)
  const { error, isBusy, attempt } = useAttempt()
  const query = useRef<HTMLTextAreaElement>(null)
  const [sent, setSent] = useState('')
  const goTo = (offset: number) => {
    query.current?.focus()
    query.current?.setSelectionRange(offset, offset)
  }

  const field = (name: Exclude<keyof RuleTexts, 'alertOnNoData' | 'operator'>) => ({
    id: `monitor-${name}`,
    name,
    autocomplete: 'off',
    value: texts[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      setTexts({ ...texts, [name]: currentTarget.value }),
  })
  const minutes = { type: 'number', required: true, min: 1, max: MONITOR_MINUTES_MAX, step: 1 } as const
  const save = async () => {
    setSent(texts.aplQuery)
    try {
      await (id === undefined ? createMonitor(ruleOf(texts)) : changeMonitor(id, changeOf(before, texts)))
    } catch (failure) {
      // What is wrong is shown beside the query, which may be out of sight from the button that sent it.
      if (failure instanceof AnswerError && failure.detail) goTo(findErrorPlace(texts.aplQuery, failure.detail)?.offset ?? 0)
      throw failure
    }
    onSaved()
  }
  return (
    <Dialog title={id === undefined ? 'New monitor' : 'Change the monitor'} onClose={onClose}>
      <form
        class="monitor-form"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(save)
        }}
      >
        <label for="monitor-name">Name</label>
        <input {...field('name')} required maxLength={MONITOR_NAME_POINTS_MAX} />
        <label for="monitor-aplQuery">Query</label>
        <textarea
          {...field('aplQuery')}
          ref={query}
          class="mono"
          rows={4}
          required
          spellcheck={false}
          maxLength={MONITOR_QUERY_POINTS_MAX}
          aria-describedby="monitor-query-hint"
        />
        <p id="monitor-query-hint" class="hint">
          Its last column of numbers is compared, in the row that is furthest; of a query without columns, the number of events.
        </p>
        <QueryError error={error} text={sent} onGo={goTo} />
        <div class="pair">
          <label for="monitor-operator">Triggers when the value is</label>
          <select
            id="monitor-operator"
            value={texts.operator}
            onChange={({ currentTarget }) => setTexts({ ...texts, operator: currentTarget.value as MonitorOperator })}
          >
            {MONITOR_OPERATORS.map((operator) => (
              <option key={operator} value={operator}>
                {MONITOR_OPERATOR_WORDS[operator]}
              </option>
            ))}
          </select>
          <label for="monitor-threshold">Threshold</label>
          <input {...field('threshold')} type="number" step="any" required />
        </div>
        <div class="pair">
          <label for="monitor-intervalMinutes">Runs every … minutes</label>
          <input {...field('intervalMinutes')} {...minutes} />
          <label for="monitor-rangeMinutes">Over the last … minutes</label>
          <input {...field('rangeMinutes')} {...minutes} />
        </div>
        <label class="toggle">
          <input
            type="checkbox"
            checked={texts.alertOnNoData}
            onChange={() => setTexts({ ...texts, alertOnNoData: !texts.alertOnNoData })}
          />
          Triggers also when there is no data
        </label>
        <label for="monitor-datasets">Marks the charts of datasets, with commas</label>
        <input
          {...field('datasets')}
          required={id !== undefined}
          placeholder={id === undefined ? 'those that the query reads' : ''}
        />
        <div class="pair">
          <label for="monitor-annotationType">Type of its annotations</label>
          <input
            {...field('annotationType')}
            required={id !== undefined}
            pattern="[a-z0-9\-]+"
            title="lower-case letters, digits and -"
            maxLength={TYPE_POINTS_MAX}
            placeholder={ANNOTATION_TYPE_DEFAULT}
          />
          <label for="monitor-annotationTitle">Title of its annotations</label>
          <input {...field('annotationTitle')} maxLength={TITLE_POINTS_MAX} placeholder={texts.name || 'its name'} />
        </div>
        <label for="monitor-description">Description</label>
        <input {...field('description')} maxLength={MONITOR_DESCRIPTION_POINTS_MAX} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {id === undefined ? 'Create' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
