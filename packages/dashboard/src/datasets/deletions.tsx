/** The dialogs that delete old events or a whole dataset, whose name has to be typed. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Select } from '../parts/select.tsx'
import { datasetRequests, trimDataset } from '../service/datasets.ts'
import type { Size } from './use-sizes.ts'

interface TypedConfirmProps {
  title: string
  name: string
  children: ComponentChildren
  /** The label of the button that deletes. */
  action: string
  task: () => Promise<void>
  onClose: () => void
}

function TypedConfirm({ title, name, children, action, task, onClose }: TypedConfirmProps) {
  const [typed, setTyped] = useState('')
  const isMeant = typed === name
  return (
    <FormDialog title={title} action={action} task={task} isIncomplete={!isMeant} isDangerous onClose={onClose}>
      {children}
      <Field
        id="typed-name"
        label={
          <>
            To confirm, type <span class="mono clip">{name}</span>
          </>
        }
        spellcheck={false}
        value={typed}
        onText={setTyped}
      />
    </FormDialog>
  )
}

interface DeletionProps {
  name: string
  size: Size | undefined
  onClose: () => void
  onDone: () => void
}

export function DeleteDataset({ name, size, onClose, onDone }: DeletionProps) {
  const task = async () => {
    await datasetRequests.remove(name)
    onDone()
  }
  return (
    <TypedConfirm title="Delete this dataset?" name={name} action="Delete for good" task={task} onClose={onClose}>
      <p>
        {countOf(size)} of <strong class="clip">{name}</strong>, its fields and its virtual fields are deleted at once, and cannot
        be brought back. Annotations stay; monitors that read it report an error.
      </p>
    </TypedConfirm>
  )
}

const UNITS = [
  ['h', 'hours'],
  ['d', 'days'],
] as const

export function Trim({ name, size, onClose, onDone }: DeletionProps) {
  const [count, setCount] = useState('30')
  const [unit, setUnit] = useState<'h' | 'd'>('d')
  const task = async () => {
    if (!/^[1-9]\d*$/.test(count)) throw new Error(`Give the age as a whole number from 1, not “${count}”.`)
    await trimDataset(name, count + unit)
    onDone()
  }
  return (
    <TypedConfirm title="Delete old events?" name={name} action="Delete old events" task={task} onClose={onClose}>
      <p>
        Events of <strong class="clip">{name}</strong> that are older than this are deleted at once, and cannot be brought back.
        It has {countOf(size).toLowerCase()}.
      </p>
      <div class="row">
        <Field id="trim-count" label="Older than" type="number" min={1} step={1} required value={count} onText={setCount} />
        <Select name="Unit" value={unit} options={UNITS} onPick={setUnit} />
      </div>
    </TypedConfirm>
  )
}

function countOf(size: Size | undefined): string {
  const count = size?.info?.numEvents
  if (count === undefined) return 'All events'
  return count === 1 ? '1 event' : `${count.toLocaleString('en')} events`
}
