/** The view of now and the way to another: the browser's address and history behind one signal. */
import { signal } from '@preact/signals'
import { formatView, parseView, type View } from './view.ts'

export const view = signal(parseView(new URL(location.href)))

addEventListener('popstate', () => {
  view.value = parseView(new URL(location.href))
})

/**
 * Changes the view.
 * @param replaces the step back leads to where the one before leads: for changes that are no step of their own
 */
export function navigate(change: Partial<View>, replaces = false): void {
  view.value = { ...view.value, ...change }
  const address = formatView(view.value)
  if (address === location.pathname + location.search) return
  if (replaces) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
}
