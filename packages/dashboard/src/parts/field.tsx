/** A field for a text, with its label and a hint of what it takes. */
import type { ComponentChildren, InputHTMLAttributes } from 'preact'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'label' | 'onInput'> {
  id: string
  label: ComponentChildren
  value: string
  onText: (text: string) => void
  hint?: ComponentChildren
  /** How many lines are shown of a text of several. */
  rows?: number | undefined
  /** What is offered; others may be typed. */
  choices?: readonly string[] | undefined
}

export function Field({ id, label, onText, hint, rows, choices, ...others }: FieldProps) {
  const field = {
    id,
    autocomplete: 'off',
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onText(currentTarget.value),
    list: choices && `${id}-choices`,
    ...others,
  } as object
  return (
    <>
      <label for={id}>{label}</label>
      {rows === undefined ? <input {...field} /> : <textarea rows={rows} {...field} />}
      {choices && (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </>
  )
}
