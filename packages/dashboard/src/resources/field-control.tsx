/** Draws a field of a form by its kind, and below it the error that the service says of it. */
import type { FunctionComponent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { toggle } from '../address/view.ts'
import { zoneName } from '../address/zone.ts'
import { DatasetChoice } from '../parts/dataset-choice.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Select } from '../parts/select.tsx'
import { splitNames } from '../parts/split-names.ts'
import { TypeField } from '../parts/type-field.tsx'
import { useLoad } from '../parts/use-load.ts'
import { findErrorPlace } from '../query/error-place.ts'
import { QueryError } from '../query/query-error.tsx'
import { datasetRequests } from '../service/datasets.ts'
import { AnswerError } from '../service/request.ts'
import { may } from '../service/session.ts'
import { type FieldOf, type FormView, given, type Options, toggleSwitch } from './fields.ts'

const INPUTS: Readonly<Record<string, 'number' | 'password' | 'datetime-local' | 'time'>> = {
  number: 'number',
  secret: 'password',
  time: 'datetime-local',
  clock: 'time',
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
      {isAbout(form.error, field) && kind !== 'query' && <Failure error={form.error} />}
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
  const { name, kind = 'text', min, max, minLength, maxLength, pattern, rows } = field
  const label = given(field.label, form) ?? ''
  return {
    ...{ id: idOf(field), name, min, max, minLength, maxLength, pattern, rows },
    label: kind === 'time' ? `${label} (${zoneName(view.value.zone)})` : label,
    value: form.texts[name] ?? '',
    onText: (text: string) => form.onChange({ [name]: text }),
    required: given(field.required, form) ?? false,
    hint: given(field.hint, form),
    placeholder: given(field.placeholder, form),
  }
}

function Line({ field, form }: ControlProps) {
  const { kind = 'text', step = kind === 'time' ? 'any' : undefined } = field
  return <Field {...propsOf(field, form)} type={INPUTS[kind] ?? 'text'} step={step} spellcheck={false} />
}

function TypeLine({ field, form }: ControlProps) {
  return <TypeField {...propsOf(field, form)} />
}

/** The error of a query is shown beside the query, with its place. */
function Query({ field, form }: ControlProps) {
  const place = useRef<HTMLTextAreaElement>(null)
  const goTo = (offset: number) => {
    place.current?.focus()
    place.current?.setSelectionRange(offset, offset)
  }
  const text = form.sent[field.name] ?? ''
  const detail = isAbout(form.error, field) ? (form.error as AnswerError).detail : undefined
  useEffect(() => {
    if (detail) goTo(findErrorPlace(text, detail)?.offset ?? 0)
  }, [detail])
  return (
    <>
      <Field {...propsOf(field, form)} fieldRef={place} class="mono" rows={4} spellcheck={false} />
      {isAbout(form.error, field) && (
        <QueryError error={form.error} text={text} onGo={goTo} onMend={(better) => form.onChange({ [field.name]: better })} />
      )}
    </>
  )
}

function Switch({ field, form }: ControlProps) {
  const { id, label, value, onText } = propsOf(field, form)
  return (
    <label class="toggle">
      <input id={id} type="checkbox" checked={value !== ''} onChange={() => onText(toggleSwitch(value))} />
      {label}
    </label>
  )
}

function Choice({ field, form }: ControlProps) {
  const { id, label, value, onText } = propsOf(field, form)
  return (
    <>
      <label for={id}>{label}</label>
      <Select id={id} value={value} options={given(field.options, form) ?? []} onPick={onText} />
    </>
  )
}

/** One of several, or any of them. */
function Checks({ field, form }: ControlProps) {
  const { id, label, value, hint, onText } = propsOf(field, form)
  const isOne = field.kind === 'radio'
  const chosen = isOne ? [value] : splitNames(value)
  const loaded = useLoad(field.loadOptions, [])
  const options: Options = loaded.data ?? given(field.options, form) ?? []
  return (
    <fieldset>
      <legend>{label}</legend>
      {options.map(([option, words]) => (
        <label key={option} class="toggle">
          <input
            type={isOne ? 'radio' : 'checkbox'}
            name={id}
            checked={chosen.includes(option)}
            onChange={() => onText(isOne ? option : toggle(chosen, option).join(', '))}
          />
          <span class="clip">{words}</span>
        </label>
      ))}
      {hint && <p class="hint">{hint}</p>}
      <Failure error={loaded.error} />
    </fieldset>
  )
}

function Datasets({ field, form }: ControlProps) {
  const { label, value, hint, onText } = propsOf(field, form)
  const { data } = useLoad(may('datasets|read') ? datasetRequests.list : undefined, [])
  const names = data?.map(({ name }) => name) ?? splitNames(form.before[field.name] ?? '')
  return <DatasetChoice legend={label} datasets={names} value={value} {...(hint && { hint })} onChange={onText} />
}

const CONTROLS: Readonly<Record<string, FunctionComponent<ControlProps>>> = {
  query: Query,
  switch: Switch,
  choice: Choice,
  radio: Checks,
  choices: Checks,
  datasets: Datasets,
  type: TypeLine,
}
