/** A field for words that limit what is shown. */
interface SearchProps {
  id?: string
  /** The name for screen readers of a field without a label. */
  name?: string
  placeholder: string
  value: string
  onText: (text: string) => void
}

export function Search({ name, onText, ...input }: SearchProps) {
  return <input {...input} type="search" aria-label={name} onInput={({ currentTarget }) => onText(currentTarget.value)} />
}
