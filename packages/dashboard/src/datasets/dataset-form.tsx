/** The form that creates a dataset, or changes its description and retention. */
import { DATASET_DESCRIPTION_POINTS_MAX, RETENTION_DAYS_MAX } from '@deployment-annotations/contract/dataset'
import type { Dataset, DatasetChange } from '@deployment-annotations/contract/schemas/dataset'
import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import { datasetRequests } from '../service/datasets.ts'
import { describeRetention } from './dataset-text.ts'

interface DatasetFormProps {
  /** The dataset to change; absent for a new one. */
  dataset?: Dataset
  onClose: () => void
  onSaved: () => void
}

export function DatasetForm({ dataset, onClose, onSaved }: DatasetFormProps) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState(dataset?.description ?? '')
  const [days, setDays] = useState(dataset?.retentionDays ?? 0)
  const save = async () => {
    if (dataset) {
      await datasetRequests.change(dataset.name, changeOf(dataset, description, days))
    } else {
      checkDatasetNames([name])
      await datasetRequests.create({ name, description, ...retentionOf(days) })
    }
    onSaved()
  }
  return (
    <FormDialog
      title={dataset ? 'Change the dataset' : 'New dataset'}
      action={dataset ? 'Save' : 'Create'}
      task={save}
      onClose={onClose}
    >
      {dataset ? <strong class="clip">{dataset.name}</strong> : <Name name={name} onChange={setName} />}
      <Field
        id="dataset-description"
        label="Description"
        maxLength={DATASET_DESCRIPTION_POINTS_MAX}
        value={description}
        onText={setDescription}
      />
      <Retention days={days} onChange={setDays} />
      {dataset && isShorter(dataset.retentionDays, days) && (
        <p class="failure">
          Events older than {describeRetention({ retentionDays: days })} will be deleted for good, soon after you save.
        </p>
      )}
    </FormDialog>
  )
}

function Name({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <Field
      id="dataset-name"
      label="Name"
      required
      value={name}
      onText={onChange}
      hint="Letters from a to z, digits and -. It stays: a dataset cannot be renamed."
    />
  )
}

/** The first proposal for people who do not want to keep events forever. */
const DAYS_FIRST = 30

function Retention({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  return (
    <fieldset class="retention">
      <legend>Events are kept</legend>
      <label class="toggle">
        <input type="radio" name="retention" checked={days === 0} onChange={() => onChange(0)} />
        forever
      </label>
      <label class="toggle">
        <input type="radio" name="retention" checked={days > 0} onChange={() => onChange(DAYS_FIRST)} />
        for a number of days
      </label>
      {days > 0 && (
        <>
          <label for="dataset-days">Days</label>
          <input
            id="dataset-days"
            type="number"
            required
            min={1}
            max={RETENTION_DAYS_MAX}
            step={1}
            value={days}
            onChange={({ currentTarget }) => onChange(Number(currentTarget.value) || DAYS_FIRST)}
          />
        </>
      )}
    </fieldset>
  )
}

function isShorter(before: number, days: number): boolean {
  return days > 0 && (before === 0 || days < before)
}

function retentionOf(days: number): DatasetChange {
  return days === 0 ? { useRetentionPeriod: false } : { useRetentionPeriod: true, retentionDays: days }
}

/** @returns only the members that were edited, so that another person's change is not undone */
function changeOf(before: Dataset, description: string, days: number): DatasetChange {
  return {
    ...(description !== before.description && { description }),
    ...(days !== before.retentionDays && retentionOf(days)),
  }
}
