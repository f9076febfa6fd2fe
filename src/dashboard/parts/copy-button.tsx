/** Copies a text, and says whether that worked: browsers refuse it to pages that came over plain HTTP from another host. */
import { useState } from 'preact/hooks'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, say] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      say('Copied')
    } catch {
      say('The browser does not let this page copy: select the text and copy it yourself')
    }
  }
  return (
    <>
      <button type="button" onClick={copy}>
        {label}
      </button>{' '}
      <span role="status">{said}</span>
    </>
  )
}
