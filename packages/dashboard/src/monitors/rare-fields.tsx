/** The members of a monitor that few need: about late events, about several runs, about what is marked, and until when it rests. */
import { MONITOR_DELAY_SECONDS_MAX, MONITOR_RUNS_MAX } from '@deployment-annotations/contract/monitor'
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { zoneName } from '../address/zone.ts'
import { type FieldsProps, fieldOf } from './monitor-fields.tsx'
import { hasRare } from './rule.ts'

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
      <label for="monitor-disabledUntil">Does not run before ({zoneName(view.value.utc)})</label>
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

/** Which value is compared, and over how many runs. */
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
