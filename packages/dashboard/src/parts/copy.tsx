/** Copies texts: the button, and lines with a button beside them. */

import { useState } from 'preact/hooks'
import { describeError } from '../service/request.ts'
import { Code } from './code.tsx'

/**
 * Copies a text. A page that came neither over TLS nor from this machine has no clipboard, and a browser may refuse to use it: then the
 * older command copies.
 * @throws Error if the browser allows neither
 */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    copyByCommand(text)
  }
}

function copyByCommand(text: string): void {
  const focused = document.activeElement
  const place = document.createElement('textarea')
  place.value = text
  place.className = 'visually-hidden'
  document.body.append(place)
  place.select()
  const isCopied = document.execCommand('copy')
  place.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('the browser does not allow it: select the text and copy it yourself')
}

/** @returns what became of the last copy, in words, and the function that copies a text and says `words` afterwards */
export function useCopy(): [said: string, copy: (text: string, words?: string) => void] {
  const [said, say] = useState('')
  const copy = (text: string, words = 'Copied') =>
    void copyText(text).then(
      () => say(words),
      (error: unknown) => say(`Not copied: ${describeError(error)}`),
    )
  return [said, copy]
}

/** @param isNext whether that is what to do next */
export function CopyButton({ text, label = 'Copy', isNext = false }: { text: string; label?: string; isNext?: boolean }) {
  const [said, copy] = useCopy()
  return (
    <>
      <button type="button" class={isNext ? 'primary' : ''} onClick={() => copy(text)}>
        {label}
      </button>{' '}
      <span role="status">{said}</span>
    </>
  )
}

/** @param of names the lines in the label of the button, as in “Copy the address” */
export function CopyLines({ text, of, class: name = '' }: { text: string; of: string; class?: string }) {
  return (
    <div class="copy-lines">
      <Code class={name}>{text}</Code>
      <div class="row">
        <CopyButton text={text} label={`Copy ${of}`} />
      </div>
    </div>
  )
}
