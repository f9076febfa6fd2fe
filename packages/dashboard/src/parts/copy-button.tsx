/** Copies a text, and says whether that worked. */
import { useState } from 'preact/hooks'
import { copyText } from './copy-text.ts'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, say] = useState('')
  const copy = async () => {
    try {
      await copyText(text)
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
