/** A field for a text, with its label and a hint of what it takes. */
import type { ComponentChildren, InputHTMLAttributes, Ref } from 'preact'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'label' | 'onInput'> {
  id: string
  label: ComponentChildren
  value: string
  onText: (text: string) => void
  hint?: ComponentChildren
  /** How many lines are shown of a text of several. */
  rows?: number | undefined
  /** The id of a list of choices. */
  list?: string
  fieldRef?: Ref<HTMLTextAreaElement | null>
}

export function Field({ id, label, onText, hint, rows, fieldRef, ...others }: FieldProps) {
  const field = {
    id,
    autocomplete: 'off',
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onText(currentTarget.value),
    ref: fieldRef,
    ...others,
  } as object
  return (
    <>
      <label for={id}>{label}</label>
      {rows === undefined ? <input {...field} /> : <textarea rows={rows} {...field} />}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </>
  )
}
