/** The dialog that deletes old events of a dataset, whose name has to be typed. */
import { useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import type { ActionProps } from '../resources/resource.ts'
import { datasetRequests } from '../service/datasets.ts'
import type { Sized } from './use-sizes.ts'

export function Trim({ one, onClose, onDone }: ActionProps<Sized>) {
  const [days, setDays] = useState('30')
  const task = async () => {
    await datasetRequests.trim(one.name, `${days}d`)
    onDone()
  }
  return (
    <Confirm title="Delete old events?" name={one.name} isTyped action="Delete old events" task={task} onClose={onClose}>
      <p>
        Events that are older than this are deleted at once, and cannot be brought back. The dataset has{' '}
        {countOf(one).toLowerCase()}.
      </p>
      <Field id="trim-days" label="Older than, in days" type="number" min={1} required value={days} onText={setDays} />
    </Confirm>
  )
}

export function countOf({ size }: Sized): string {
  const count = size?.info?.numEvents
  if (count === undefined) return 'All events'
  return count === 1 ? '1 event' : `${count.toLocaleString('en')} events`
}
