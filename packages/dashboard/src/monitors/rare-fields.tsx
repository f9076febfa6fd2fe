/** The members of a monitor that few need: about late events, about several runs, and about what is marked. */
import { MONITOR_DELAY_SECONDS_MAX, MONITOR_RUNS_MAX } from '@deployment-annotations/contract/monitor'
import { useState } from 'preact/hooks'
import { type FieldsProps, fieldOf } from './monitor-fields.tsx'
import { hasRare } from './rule.ts'

const FLAGS = [
  ['notifyByGroup', 'Marks each group by itself'],
  ['notifyEveryRun', 'Every run that triggers makes an annotation of its own'],
  ['skipResolved', 'Does not mark the recovery: its annotations have no end'],
] as const

export function RareFields(props: FieldsProps) {
  const { texts, onChange } = props
  const [isOpenFirst] = useState(() => hasRare(texts))
  const number = { type: 'number', required: true, min: 0, step: 1 } as const
  return (
    <details class="rare" open={isOpenFirst}>
      <summary>More</summary>
      <div class="pair">
        <label for="monitor-triggerAfterNPositiveResults">Triggers after … such runs, 0 for all</label>
        <input {...fieldOf(props, 'triggerAfterNPositiveResults')} {...number} max={MONITOR_RUNS_MAX} />
        <label for="monitor-triggerFromNRuns">Of how many runs</label>
        <input {...fieldOf(props, 'triggerFromNRuns')} {...number} max={MONITOR_RUNS_MAX} />
      </div>
      <label for="monitor-secondDelay">Waits … seconds for events that arrive late</label>
      <input {...fieldOf(props, 'secondDelay')} {...number} max={MONITOR_DELAY_SECONDS_MAX} />
      {FLAGS.map(([name, words]) => (
        <label key={name} class="toggle">
          <input type="checkbox" checked={texts[name]} onChange={() => onChange({ [name]: !texts[name] })} />
          {words}
        </label>
      ))}
    </details>
  )
}
