/** Puts a text on the clipboard. */

/**
 * A page that did not come over TLS, nor from this machine, has no clipboard; there the old way is left.
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
