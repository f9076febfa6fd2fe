/** Asks before an action that cannot be undone: the safe button has the focus, or a name has to be typed. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'

interface ConfirmProps {
  title: string
  /** What the action is about. */
  name?: string
  /** Whether its name has to be typed. */
  isTyped?: boolean
  children: ComponentChildren
  /** The label of the button that acts. */
  action: string
  task: () => Promise<void>
  onClose: () => void
}

export function Confirm({ title, name, isTyped = false, children, ...form }: ConfirmProps) {
  const [typed, setTyped] = useState('')
  return (
    <FormDialog title={title} isIncomplete={isTyped && typed !== name} isDangerous {...form}>
      {name !== undefined && (
        <p>
          <strong class="clip">{name}</strong>
        </p>
      )}
      {children}
      {isTyped && <Field id="typed-name" label={`To confirm, type ${name}`} spellcheck={false} value={typed} onText={setTyped} />}
    </FormDialog>
  )
}
