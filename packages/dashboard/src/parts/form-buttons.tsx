/** The two ways out of a form in a dialog. */

interface FormButtonsProps {
  /** What the form does, as a verb. */
  action: string
  isBusy: boolean
  /** Whether something is missing that only the person can give. */
  isIncomplete?: boolean
  /** Whether it takes something away for good. */
  isDangerous?: boolean
  onClose(): void
}

export function FormButtons({ action, isBusy, isIncomplete = false, isDangerous = false, onClose }: FormButtonsProps) {
  return (
    <div class="row end">
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      <button
        type="submit"
        class={isDangerous ? 'danger' : 'primary'}
        disabled={isIncomplete}
        aria-disabled={isBusy || isIncomplete}
      >
        {action}
      </button>
    </div>
  )
}
