/** A button that acts on one of a list, which its label names: `Change web`, `Replace the secret of web`. */
interface ActProps {
  words: string
  /** What follows the words in the label. */
  on: string
  isBusy?: boolean
  isDangerous?: boolean
  onClick: () => void
}

export function Act({ words, on, isBusy, isDangerous = false, onClick }: ActProps) {
  return (
    <button
      type="button"
      class={isDangerous ? 'danger' : undefined}
      aria-label={`${words} ${on}`}
      aria-disabled={isBusy}
      onClick={onClick}
    >
      {words}
    </button>
  )
}
