/** The form that creates or changes a notifier. */
import { NOTIFIER_EVENTS, NOTIFIER_NAME_POINTS_MAX, type NotifierEvent } from '@deployment-annotations/contract/notifier'
import type { MadeNotifier, NewNotifier, Notifier } from '@deployment-annotations/contract/schemas/notifier'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import { Select } from '../parts/select.tsx'
import { splitNames } from '../parts/split-names.ts'
import { useAttempt } from '../parts/use-attempt.ts'
import { changeNotifier, createNotifier } from '../service/notifiers.ts'
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
  const { error, isBusy, attempt } = useAttempt()
  const change = (some: Partial<NotifierTexts>) => setTexts((now) => ({ ...now, ...some }))
  const save = async () => {
    const settings = settingsOf(texts, notifier)
    if (!notifier) return onMade(await createNotifier({ ...settings, properties: propertiesOf(texts.kind, texts.target) }))
    const properties = texts.target === '' ? {} : { properties: propertiesOf(texts.kind, texts.target) }
    await changeNotifier(notifier.id, { ...settings, ...properties })
    onChanged()
  }
  return (
    <Dialog title={notifier ? 'Change the notifier' : 'New notifier'} onClose={onClose}>
      <form
        class="integration-form"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(save)
        }}
      >
        <TargetFields texts={texts} isNew={!notifier} onChange={change} />
        <ToldFields texts={texts} onChange={change} />
        <Failure error={error} />
        <FormButtons action={notifier ? 'Save' : 'Create'} isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  texts: NotifierTexts
  onChange: (some: Partial<NotifierTexts>) => void
}

function TargetFields({ texts, isNew, onChange }: FieldsProps & { isNew: boolean }) {
  const { label, type } = FIELDS[texts.kind]
  const target = {
    id: 'notifier-target',
    autocomplete: 'off',
    spellcheck: false,
    required: isNew,
    value: texts.target,
    placeholder: isNew ? '' : 'as it is',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange({ target: currentTarget.value }),
  }
  return (
    <>
      <label for="notifier-kind">How it is sent</label>
      <Select
        id="notifier-kind"
        value={texts.kind}
        options={OFFERED.map((kind) => [kind, KIND_NAMES[kind]])}
        onPick={(kind) => onChange({ kind })}
      />
      <label for="notifier-target">{label}</label>
      {type === 'password' ? <input type="password" {...target} /> : <input {...target} />}
      <label for="notifier-name">Name</label>
      <input
        id="notifier-name"
        autocomplete="off"
        required
        maxLength={NOTIFIER_NAME_POINTS_MAX}
        value={texts.name}
        onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
    </>
  )
}

function ToldFields({ texts, onChange }: FieldsProps) {
  const field = (name: 'datasets' | 'types' | 'quietStart' | 'quietEnd') => ({
    id: `notifier-${name}`,
    autocomplete: 'off',
    value: texts[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange({ [name]: currentTarget.value }),
  })
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
      <label for="notifier-datasets">Only on these datasets, separated by commas</label>
      <input {...field('datasets')} placeholder="all" />
      <label for="notifier-types">Only of types with one of these words</label>
      <input {...field('types')} placeholder="all" />
      <label for="notifier-quietStart">Quiet from</label>
      <input type="time" {...field('quietStart')} />
      <label for="notifier-quietEnd">Quiet until, on this machine's clock</label>
      <input type="time" {...field('quietEnd')} />
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
