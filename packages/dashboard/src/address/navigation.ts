/** The current view as a signal, and the changes of it, which are kept in the browser's address and history. */
import { signal } from '@preact/signals'
import { DEFAULT_VIEW, formatView, type Page, parseView, type View } from './view.ts'

export const view = signal(parseView(new URL(location.href)))

addEventListener('popstate', () => {
  last.set(view.value.page, view.value)
  view.value = parseView(new URL(location.href))
})

/** The last view of each page, so that going to another page and back loses nothing. */
const last = new Map<Page, View>()

/** @returns the view that a page had when it was left, or the default view of a page that was not open yet */
export function lastView(page: Page): View {
  return last.get(page) ?? { ...DEFAULT_VIEW, page, zone: view.value.zone }
}

/** Forgets the views of all pages, so that the next person to sign in does not see them. */
export function forgetViews(): void {
  last.clear()
}

/**
 * Changes the view.
 * @param replaces whether the current entry of the browser's history is replaced, for a change that is no step of its own
 */
export function navigate(change: Partial<View>, replaces = false): void {
  last.set(view.value.page, view.value)
  view.value = { ...view.value, ...change }
  const address = formatView(view.value)
  if (address === location.pathname + location.search) return
  if (replaces) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
}
