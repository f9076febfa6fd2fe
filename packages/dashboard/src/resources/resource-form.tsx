/** A form of fields that are data: beside a list, or in a dialog. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { Failure } from '../parts/failure.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { FieldControl, idOf, isAbout } from './field-control.tsx'
import { changeOf, type FormOf, type FormView, newOf, shownFields, type Texts, textsOf } from './fields.ts'

interface ResourceFormProps {
  title: string
  form: FormOf
  /** The resource that is changed, or some members of a new one. */
  one?: object | undefined
  isNew: boolean
  /** The action, as a verb; absent for a token that may only read. */
  action?: string
  /** @param body the members to send */
  task: (body: object) => Promise<void>
  onClose: () => void
  isBeside?: boolean
  isDangerous?: boolean
  /** What stands above the fields. */
  children?: ComponentChildren
  /** What stands below them. */
  after?: ComponentChildren
}

export function ResourceForm({ form, one, isNew, task, children, after, action, ...dialog }: ResourceFormProps) {
  const { zone } = view.value
  const [before] = useState(() => textsOf(form, one, zone))
  const [texts, setTexts] = useState(before)
  const onChange = (some: Texts) => setTexts((now) => ({ ...now, ...some }))
  const send = () => task(isNew ? newOf(form, texts, zone) : changeOf(form, before, texts, zone))
  return (
    <FormDialog
      {...dialog}
      {...(action !== undefined && { action, task: send })}
      isIncomplete={form.isIncomplete?.(texts) ?? false}
    >
      {(error) => (
        <>
          {children}
          <fieldset class="fields-of" disabled={action === undefined}>
            <Fields form={form} view={{ texts, isNew, before, error, onChange }} />
          </fieldset>
          {after}
        </>
      )}
    </FormDialog>
  )
}

function Fields({ form, view: shown }: { form: FormOf; view: FormView }) {
  const { before, error } = shown
  const fields = shownFields(form, shown)
  const isUsed = fields.some(({ name, isRare, initial = '' }) => isRare && before[name] !== initial)
  const wrong = fields.find((field) => isAbout(error, field))
  useEffect(() => {
    // The field may be out of sight of the button.
    if (wrong) document.getElementById(idOf(wrong))?.focus()
  }, [error])
  const draw = (isRare: boolean) =>
    fields
      .filter((field) => (field.isRare ?? false) === isRare)
      .map((field) => <FieldControl key={field.name} field={field} form={shown} />)
  const rare = draw(true)
  return (
    <>
      {draw(false)}
      {form.Panel && <form.Panel {...shown} />}
      {rare.length > 0 && (
        <details class="rare" open={isUsed || wrong?.isRare}>
          <summary>More</summary>
          <div class="fields-of">{rare}</div>
        </details>
      )}
      {!wrong && <Failure error={error} />}
    </>
  )
}
