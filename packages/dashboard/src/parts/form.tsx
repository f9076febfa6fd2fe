/** A form whose content is sent by the page itself. */
import type { FormHTMLAttributes } from 'preact'

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  onSubmit: (form: Element) => void
}

export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...(form as object)}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event.currentTarget)
      }}
    />
  )
}
