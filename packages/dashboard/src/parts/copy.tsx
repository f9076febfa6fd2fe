/** Copies texts: the button, and lines with a button beside them. */

import { useState } from 'preact/hooks'
import { Code } from './code.tsx'

/**
 * Copies a text. A page that came neither over TLS nor from this machine has no clipboard, so it uses the older command.
 * @throws Error if the browser allows neither
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const place = document.createElement('textarea')
  place.value = text
  place.className = 'visually-hidden'
  document.body.append(place)
  place.select()
  const isCopied = document.execCommand('copy')
  place.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('the browser does not allow it')
}

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

/** @param of names the lines in the label of the button, as in “Copy the address” */
export function CopyLines({ text, of }: { text: string; of: string }) {
  return (
    <div class="copy-lines">
      <Code>{text}</Code>
      <div class="row">
        <CopyButton text={text} label={`Copy ${of}`} />
      </div>
    </div>
  )
}
