/** Draws a field of a form by its kind, and below it the error that the service says of it. */
import { TYPE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import type { ComponentProps, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { toggle } from '../address/view.ts'
import { zoneName } from '../address/zone.ts'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Select } from '../parts/select.tsx'
import { splitNames } from '../parts/split-names.ts'
import { Checks, Toggle } from '../parts/toggle.tsx'
import { useLoad } from '../parts/use-load.ts'
import { offsetOf, QueryError } from '../query/query-error.tsx'
import { datasetRequests } from '../service/datasets.ts'
import { AnswerError } from '../service/request.ts'
import { may } from '../service/session.ts'
import { type FieldOf, type FormView, given } from './fields.ts'

/** What a line of each kind tells the browser, which checks it; `title` is what it then says besides its own words. */
const INPUTS: Readonly<Record<string, Partial<ComponentProps<typeof Field>>>> = {
  number: { type: 'number' },
  secret: { type: 'password' },
  time: { type: 'datetime-local', step: 'any' },
  clock: { type: 'time' },
  url: { type: 'url' },
  query: { class: 'mono', rows: 4 },
  type: {
    pattern: '[a-z0-9\\-]+',
    maxLength: TYPE_POINTS_MAX,
    title: 'A type has lower-case letters, digits and - only, for example production-deploy.',
  },
}

interface ControlProps {
  field: FieldOf
  form: FormView
}

export function FieldControl({ field, form }: ControlProps) {
  const { kind = 'text', View: Control = CONTROLS[kind] ?? Line, isHalf = false } = field
  return (
    <div class={isHalf ? 'field is-half' : 'field'}>
      <Control field={field} form={form} />
      {isAbout(form.error, field) && (kind === 'query' ? <Mistake field={field} form={form} /> : <Failure error={form.error} />)}
    </div>
  )
}

/** @returns whether an error is shown at this field: the service begins with the name of the member, or tells the place in the query */
export function isAbout(error: unknown, { name, kind }: FieldOf): boolean {
  if (!(error instanceof AnswerError)) return false
  return error.detail ? kind === 'query' : new RegExp(`^${name}\\b`).test(error.message)
}

/** @returns the id of the field's control */
export function idOf({ name }: FieldOf): string {
  return `field-${name}`
}

/** @returns the props with which a control edits the text of the field */
function propsOf(field: FieldOf, form: FormView) {
  const { name, label, kind = 'text', min, max, step, minLength, maxLength, pattern, rows } = field
  return {
    ...{ id: idOf(field), name, min, max, step, minLength, maxLength, pattern, rows, ...INPUTS[kind] },
    label: kind === 'time' ? `${label} (${zoneName(view.value.zone)})` : label,
    value: form.texts[name] ?? '',
    onText: (text: string) => form.onChange({ [name]: text }),
    required: given(field.required, form) ?? false,
    hint: given(field.hint, form),
    placeholder: given(field.placeholder, form),
    spellcheck: false,
  }
}

function Line({ field, form }: ControlProps) {
  return <Field {...propsOf(field, form)} choices={field.options?.map(([value]) => value)} />
}

/** A mistake in a query, with its place, where the cursor goes. */
function Mistake({ field, form: { error, texts, onChange } }: ControlProps) {
  const { detail } = error as AnswerError
  // What is typed now does not move the place in what was sent.
  const [text] = useState(texts[field.name] ?? '')
  const goTo = (offset: number) => {
    const place = document.getElementById(idOf(field)) as HTMLTextAreaElement
    place.focus()
    place.setSelectionRange(offset, offset)
  }
  useEffect(() => goTo(detail ? offsetOf(text, detail) : 0), [detail])
  return <QueryError error={error} text={text} onGo={goTo} onMend={(better) => onChange({ [field.name]: better })} />
}

function Switch({ field, form }: ControlProps) {
  const { id, label, value, onText } = propsOf(field, form)
  return (
    <Toggle id={id} isOn={value !== ''} onChange={() => onText(value === '' ? 'on' : '')}>
      {label}
    </Toggle>
  )
}

function Choice({ field, form }: ControlProps) {
  const { id, label, value, onText } = propsOf(field, form)
  return (
    <>
      <label for={id}>{label}</label>
      <Select id={id} value={value} options={field.options ?? []} onPick={onText} />
    </>
  )
}

function Options({ field, form }: ControlProps) {
  const { id, label, value, hint, onText } = propsOf(field, form)
  const isOne = field.kind === 'radio'
  const chosen = isOne ? [value] : splitNames(value)
  const { data, error } = useLoad(field.loadOptions, [])
  return (
    <Checks
      legend={label}
      options={data ?? field.options ?? []}
      chosen={chosen}
      oneOf={isOne ? id : undefined}
      onPick={(option) => onText(isOne ? option : toggle(chosen, option).join(', '))}
    >
      {hint && <p class="hint">{hint}</p>}
      <Failure error={error} />
    </Checks>
  )
}

/** People find a dataset faster by typing than among more boxes. */
const BOXES_MAX = 40

/** A box for each dataset, and a field for others. */
function Datasets({ field, form }: ControlProps) {
  const { id, label, value, hint, onText } = propsOf(field, form)
  const [others, setOthers] = useState('')
  const { data = [] } = useLoad(may('datasets|read') ? datasetRequests.list : undefined, [])
  const offered = data.map(({ name }) => name)
  // Those that were chosen before stay to be seen, also without events.
  const boxes = [...new Set([...splitNames(form.before[field.name] ?? ''), ...offered.slice(0, BOXES_MAX)])]
  const ticked = splitNames(value).filter((name) => boxes.includes(name))
  const change = (names: readonly string[], text: string) => onText([...names, ...splitNames(text)].join(', '))
  return (
    <Checks
      class="dataset-choice"
      legend={label}
      options={boxes.map((name) => [name, name])}
      chosen={ticked}
      onPick={(name) => change(toggle(ticked, name), others)}
    >
      <Field
        id={id}
        label={<span class="hint">Others, separated by commas</span>}
        hint={hint}
        value={others}
        onText={(text) => {
          setOthers(text)
          change(ticked, text)
        }}
      />
    </Checks>
  )
}

const CONTROLS: Readonly<Record<string, FunctionComponent<ControlProps>>> = {
  switch: Switch,
  choice: Choice,
  radio: Options,
  choices: Options,
  datasets: Datasets,
}
