/** The form that creates or changes a notifier. */
import { NOTIFIER_EVENTS, NOTIFIER_NAME_POINTS_MAX, type NotifierEvent } from '@deployment-annotations/contract/notifier'
import type { MadeNotifier, NewNotifier, Notifier } from '@deployment-annotations/contract/schemas/notifier'
import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import { Select } from '../parts/select.tsx'
import { splitNames } from '../parts/split-names.ts'
import { notifierRequests } from '../service/notifiers.ts'
import { EVENT_NAMES, FIELDS, KIND_NAMES, kindOf, OFFERED, type OfferedKind, propertiesOf } from './notifier-text.ts'

interface NotifierTexts {
  kind: OfferedKind
  target: string
  name: string
  events: readonly NotifierEvent[]
  datasets: string
  types: string
  quietStart: string
  quietEnd: string
}

interface NotifierFormProps {
  /** Absent for a new one. */
  notifier?: Notifier
  onClose: () => void
  onMade: (made: MadeNotifier) => void
  onChanged: () => void
}

export function NotifierForm({ notifier, onClose, onMade, onChanged }: NotifierFormProps) {
  const [texts, setTexts] = useState(() => textsOf(notifier))
  const change = (some: Partial<NotifierTexts>) => setTexts((now) => ({ ...now, ...some }))
  const save = async () => {
    const settings = settingsOf(texts, notifier)
    if (!notifier)
      return onMade(await notifierRequests.create({ ...settings, properties: propertiesOf(texts.kind, texts.target) }))
    const properties = texts.target === '' ? {} : { properties: propertiesOf(texts.kind, texts.target) }
    await notifierRequests.change(notifier.id, { ...settings, ...properties })
    onChanged()
  }
  return (
    <FormDialog
      title={notifier ? 'Change the notifier' : 'New notifier'}
      className="integration-form"
      action={notifier ? 'Save' : 'Create'}
      task={save}
      onClose={onClose}
    >
      <TargetFields texts={texts} isNew={!notifier} onChange={change} />
      <ToldFields texts={texts} onChange={change} />
    </FormDialog>
  )
}

interface FieldsProps {
  texts: NotifierTexts
  onChange: (some: Partial<NotifierTexts>) => void
}

type TextName = Exclude<keyof NotifierTexts, 'kind' | 'events'>

const fieldOf = ({ texts, onChange }: FieldsProps, name: TextName) => ({
  id: `notifier-${name}`,
  value: texts[name],
  onText: (text: string) => onChange({ [name]: text }),
})

function TargetFields({ texts, isNew, onChange }: FieldsProps & { isNew: boolean }) {
  const { label, type } = FIELDS[texts.kind]
  return (
    <>
      <label for="notifier-kind">How it is sent</label>
      <Select
        id="notifier-kind"
        value={texts.kind}
        options={OFFERED.map((kind) => [kind, KIND_NAMES[kind]])}
        onPick={(kind) => onChange({ kind })}
      />
      <Field
        {...fieldOf({ texts, onChange }, 'target')}
        label={label}
        type={type}
        spellcheck={false}
        required={isNew}
        placeholder={isNew ? '' : 'as it is'}
      />
      <Field {...fieldOf({ texts, onChange }, 'name')} label="Name" required maxLength={NOTIFIER_NAME_POINTS_MAX} />
    </>
  )
}

function ToldFields({ texts, onChange }: FieldsProps) {
  const field = (name: TextName) => fieldOf({ texts, onChange }, name)
  const toggle = (event: NotifierEvent) =>
    onChange({ events: texts.events.includes(event) ? texts.events.filter((one) => one !== event) : [...texts.events, event] })
  return (
    <>
      <fieldset>
        <legend>Told when a monitor names it, and when</legend>
        {NOTIFIER_EVENTS.map((event) => (
          <label key={event}>
            <input type="checkbox" checked={texts.events.includes(event)} onChange={() => toggle(event)} /> {EVENT_NAMES[event]}
          </label>
        ))}
      </fieldset>
      <Field {...field('datasets')} label="Only on these datasets, separated by commas" placeholder="all" />
      <Field {...field('types')} label="Only of types with one of these words" placeholder="all" />
      <Field {...field('quietStart')} label="Quiet from" type="time" />
      <Field {...field('quietEnd')} label="Quiet until, on this machine's clock" type="time" />
    </>
  )
}

const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function textsOf(notifier: Notifier | undefined): NotifierTexts {
  const kind = notifier && kindOf(notifier)
  return {
    kind: OFFERED.find((one) => one === kind) ?? 'slack',
    target: '',
    name: notifier?.name ?? '',
    events: notifier?.events ?? NOTIFIER_EVENTS,
    datasets: notifier?.datasets.join(', ') ?? '',
    types: notifier?.types.join(', ') ?? '',
    quietStart: notifier?.quietHours?.start ?? '',
    quietEnd: notifier?.quietHours?.end ?? '',
  }
}

function settingsOf(texts: NotifierTexts, before: Notifier | undefined): Omit<NewNotifier, 'properties'> {
  const { quietStart: start, quietEnd: end } = texts
  if ((start === '') !== (end === '')) throw new Error('Say when the quiet hours begin, and when they end.')
  const datasets = splitNames(texts.datasets)
  checkDatasetNames(datasets)
  const quietHours = start === '' ? null : { start, end, zone: before?.quietHours?.zone ?? zoneHere() }
  return { name: texts.name.trim(), events: [...texts.events], datasets, types: splitNames(texts.types), quietHours }
}
