/** Draws a field of a form by its kind, and below it the error that the service says of it. */
import { TYPE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import type { FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { toggle } from '../address/view.ts'
import { zoneName } from '../address/zone.ts'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { Select } from '../parts/select.tsx'
import { splitNames } from '../parts/split-names.ts'
import { Checks, Toggle } from '../parts/toggle.tsx'
import { useLoad } from '../parts/use-load.ts'
import { findErrorPlace } from '../query/error-place.ts'
import { QueryError } from '../query/query-error.tsx'
import { datasetRequests } from '../service/datasets.ts'
import { AnswerError } from '../service/request.ts'
import { may } from '../service/session.ts'
import { type FieldOf, type FormView, given, toggleSwitch } from './fields.ts'

const INPUTS: Readonly<Record<string, 'number' | 'password' | 'datetime-local' | 'time' | 'url'>> = {
  number: 'number',
  secret: 'password',
  time: 'datetime-local',
  clock: 'time',
  url: 'url',
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

const TYPE_WORDS = 'A type has lower-case letters, digits and - only, for example production-deploy.'

/** The browser's own words say nothing of what a type may have. */
function TypeLine({ field, form }: ControlProps) {
  return (
    <Field
      {...propsOf(field, form)}
      choices={given(field.options, form)?.map(([type]) => type)}
      pattern="[a-z0-9\-]+"
      maxLength={TYPE_POINTS_MAX}
      onInvalid={({ currentTarget }) => {
        if (currentTarget.validity.patternMismatch) currentTarget.setCustomValidity(TYPE_WORDS)
      }}
      // A custom message counts as an error until it is removed.
      onInputCapture={({ currentTarget }) => currentTarget.setCustomValidity('')}
    />
  )
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
    <Toggle id={id} isOn={value !== ''} onChange={() => onText(toggleSwitch(value))}>
      {label}
    </Toggle>
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

function Options({ field, form }: ControlProps) {
  const { id, label, value, hint, onText } = propsOf(field, form)
  const isOne = field.kind === 'radio'
  const chosen = isOne ? [value] : splitNames(value)
  const { data, error } = useLoad(field.loadOptions, [])
  return (
    <Checks
      legend={label}
      options={data ?? given(field.options, form) ?? []}
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

/** A checkbox for each dataset that is offered, by default all there are, and a field for others. */
function Datasets({ field, form }: ControlProps) {
  const { id, label, value, hint, onText } = propsOf(field, form)
  const offered = given(field.options, form)?.map(([name]) => name)
  const { data } = useLoad(!offered && may('datasets|read') ? datasetRequests.list : undefined, [])
  const known = offered ?? data?.map(({ name }) => name) ?? []
  // Those that were chosen before stay to be seen, also without events.
  const boxes = [...new Set([...splitNames(form.before[field.name] ?? ''), ...known])].slice(0, BOXES_MAX)
  const chosen = splitNames(value)
  const [others, setOthers] = useState(() => chosen.filter((name) => !boxes.includes(name)).join(', '))
  const picked = boxes.filter((name) => chosen.includes(name))
  const change = (some: readonly string[], text: string) => onText([...some, ...splitNames(text)].join(', '))
  return (
    <fieldset class="dataset-choice" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      <div class="row">
        {boxes.map((name) => (
          <Toggle
            key={name}
            isOn={picked.includes(name)}
            onChange={() =>
              change(
                boxes.filter((one) => picked.includes(one) !== (one === name)),
                others,
              )
            }
          >
            <span class="clip">{name}</span>
          </Toggle>
        ))}
      </div>
      <label for={id} class="hint">
        Others, separated by commas
      </label>
      <input
        id={id}
        value={others}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          setOthers(currentTarget.value)
          change(picked, currentTarget.value)
        }}
      />
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </fieldset>
  )
}

const CONTROLS: Readonly<Record<string, FunctionComponent<ControlProps>>> = {
  query: Query,
  switch: Switch,
  choice: Choice,
  radio: Options,
  choices: Options,
  datasets: Datasets,
  type: TypeLine,
}
