/** The dialog that deletes old events of a dataset, whose name has to be typed. */
import type { Dataset } from '@deployment-annotations/contract/dataset'
import { useState } from 'preact/hooks'
import { Confirm } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import { Select } from '../parts/select.tsx'
import type { ActionProps } from '../resources/resource.ts'
import { datasetRequests } from '../service/datasets.ts'
import type { Size, Sized } from './use-sizes.ts'

const UNITS = [
  ['h', 'hours'],
  ['d', 'days'],
] as const

export function Trim({ one: { name, size }, onClose, onDone }: ActionProps<Dataset & Sized>) {
  const [count, setCount] = useState('30')
  const [unit, setUnit] = useState<'h' | 'd'>('d')
  const task = async () => {
    if (!/^[1-9]\d*$/.test(count)) throw new Error(`Give the age as a whole number from 1, not “${count}”.`)
    await datasetRequests.trim(name, count + unit)
    onDone()
  }
  return (
    <Confirm title="Delete old events?" name={name} isTyped action="Delete old events" task={task} onClose={onClose}>
      <p>
        Events that are older than this are deleted at once, and cannot be brought back. The dataset has{' '}
        {countOf(size).toLowerCase()}.
      </p>
      <div class="row">
        <Field id="trim-count" label="Older than" type="number" min={1} step={1} required value={count} onText={setCount} />
        <Select name="Unit" value={unit} options={UNITS} onPick={setUnit} />
      </div>
    </Confirm>
  )
}

export function countOf(size: Size | undefined): string {
  const count = size?.info?.numEvents
  if (count === undefined) return 'All events'
  return count === 1 ? '1 event' : `${count.toLocaleString('en')} events`
}
