/** Lines to paste elsewhere, with a button that copies them. */
import { CopyButton } from './copy-button.tsx'

/** @param of what they are, for the button: “Copy the address” */
export function CopyLines({ text, of }: { text: string; of: string }) {
  return (
    <div class="copy-lines">
      <pre>{text}</pre>
      <div class="row">
        <CopyButton text={text} label={`Copy ${of}`} />
      </div>
    </div>
  )
}
