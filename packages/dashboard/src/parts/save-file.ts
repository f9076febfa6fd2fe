/** Gives the browser something to save as a file, without asking anybody for it. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser has taken it by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 0)
}
