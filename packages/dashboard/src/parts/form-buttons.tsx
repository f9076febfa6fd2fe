/** The buttons of a form in a dialog. */

interface FormButtonsProps {
  /** The action of the form, as a verb. */
  action: string
  isBusy: boolean
  /** Whether the form lacks something that only the person can give. */
  isIncomplete?: boolean
  /** Whether the action deletes something for good. */
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
